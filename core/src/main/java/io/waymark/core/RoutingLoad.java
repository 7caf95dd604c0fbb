package io.waymark.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A shard's own view of its load: what is in flight, and how many calls ended in the last minute
 * and how long they took on average, for calls that come in and for calls that go out.
 *
 * <p>Calls are counted in 60 buckets of one second each: the second that runs and the 59 before it.
 * A call counts in the second in which it ends, with all of its duration, however long ago it
 * began. Durations are differences of whole microseconds, so that they are right on average where a
 * single one is short. Seconds and durations are told by a monotonic ticker: setting the wall clock
 * changes none of it. A new instance, as a restarted shard has one, knows nothing of what was
 * before; its {@linkplain LoadSnapshot#incarnation() incarnation} says so.
 *
 * <p>A call that ended is counted before it leaves what is in flight, and a snapshot looks in the
 * other order: one that is taken meanwhile may see a call twice, and misses none. A call that takes
 * a snapshot after its own end finds itself counted and no longer in flight.
 *
 * <p>Thread safe and lock-free. The pairs of {@code begin} and {@code end} allocate nothing; a
 * bucket for each second with calls, and what {@link LongAdder} needs when threads contend, is all
 * there is.
 */
public final class RoutingLoad {
  /** How far back counts and averages reach: 60 seconds. */
  public static final Duration WINDOW = Duration.ofSeconds(LoadBuckets.WINDOW);

  private static final long SECOND = 1_000_000_000;
  private static final long MICRO = 1_000;

  private final LongSupplier ticker;
  private final Clock clock;

  /** Where the ticker's second began in which this was made: seconds are counted from there. */
  private final long origin;

  private final String incarnation = UUID.randomUUID().toString();
  private final AtomicLong sequence = new AtomicLong();
  private final Flow in = new Flow();
  private final Flow out = new Flow();
  private final AtomicReference<@Nullable LongSupplier> pending = new AtomicReference<>();

  /** A load of nothing yet, with the system's clocks. */
  public RoutingLoad() {
    this(System::nanoTime, Clock.systemUTC());
  }

  private RoutingLoad(LongSupplier ticker, Clock clock) {
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    this.clock = Objects.requireNonNull(clock, "clock");
    long now = ticker.getAsLong();
    this.origin = now - Math.floorMod(now, SECOND);
  }

  /**
   * A load of nothing yet.
   *
   * @param ticker monotonic nanoseconds, for buckets and durations
   * @param clock for {@link LoadSnapshot#observedAt()} and nothing else
   */
  public static RoutingLoad of(LongSupplier ticker, Clock clock) {
    return new RoutingLoad(ticker, clock);
  }

  /**
   * Counts one more call that came in. Each is matched by exactly one {@link #endInbound}.
   *
   * @return when it began, for the end
   */
  public long beginInbound() {
    return begin(in);
  }

  /**
   * Counts the end of a call that came in, whether it was accepted, rejected or failed.
   *
   * @param started what {@link #beginInbound} returned
   */
  public void endInbound(long started) {
    end(in, started);
  }

  /**
   * Counts one more call that goes out. Each is matched by exactly one {@link #endOutbound}.
   *
   * @return when it began, for the end
   */
  public long beginOutbound() {
    return begin(out);
  }

  /**
   * Counts the end of a call that went out, whatever came of it.
   *
   * @param started what {@link #beginOutbound} returned
   */
  public void endOutbound(long started) {
    end(out, started);
  }

  /** Counts a call that came in until the sample is closed; closing it again changes nothing. */
  public Sample inbound() {
    return new Sample(this, in);
  }

  /** Counts a call that goes out until the sample is closed; closing it again changes nothing. */
  public Sample outbound() {
    return new Sample(this, out);
  }

  /**
   * Says where the exact backlog is to be had.
   *
   * @param pendingDeliveries quick, thread safe and never negative; asked at every snapshot
   * @throws IllegalStateException if there is one already
   */
  public void attach(LongSupplier pendingDeliveries) {
    Objects.requireNonNull(pendingDeliveries, "pendingDeliveries");
    if (!pending.compareAndSet(null, pendingDeliveries)) {
      throw new IllegalStateException(
          "a backlog is attached already; give each capability a RoutingLoad of its own");
    }
  }

  /**
   * The load now. A snapshot with a higher sequence began to look later.
   *
   * @throws RuntimeException what the attached backlog throws, or if it is negative: a backlog that
   *     is not known is not reported as none. Whoever answers a call leaves the load out then
   */
  public LoadSnapshot snapshot() {
    long number = sequence.incrementAndGet();
    LongSupplier backlog = pending.get();
    return new LoadSnapshot(
        clock.instant(),
        WINDOW,
        incarnation,
        number,
        traffic(in),
        traffic(out),
        backlog == null ? 0 : backlog.getAsLong());
  }

  private long begin(Flow flow) {
    long started = ticker.getAsLong();
    flow.begun.increment();
    return started;
  }

  private void end(Flow flow, long started) {
    long now = ticker.getAsLong();
    flow.ends.add(second(now), Math.max(0, micros(now) - micros(started)));
    flow.ended.increment();
  }

  private LoadSnapshot.Traffic traffic(Flow flow) {
    int inFlight = flow.inFlight();
    LoadBuckets.Totals totals = flow.ends.totals(second(ticker.getAsLong()));
    return new LoadSnapshot.Traffic(
        inFlight,
        totals.count(),
        totals.count() == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of((double) totals.micros() / totals.count() / MICRO));
  }

  private long second(long at) {
    return Math.floorDiv(at - origin, SECOND);
  }

  private long micros(long at) {
    return Math.floorDiv(at - origin, MICRO);
  }

  @Override
  public String toString() {
    return "RoutingLoad[inbound=" + in.inFlight() + ", outbound=" + out.inFlight() + " in flight]";
  }

  /** One direction. */
  private static final class Flow {
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final LoadBuckets ends = new LoadBuckets();

    /** Ends are summed up first: every one of them has its beginning in the other sum. */
    private int inFlight() {
      long gone = ended.sum();
      return (int) Math.max(0, Math.min(Integer.MAX_VALUE, begun.sum() - gone));
    }
  }

  /** One call that is counted as under way until this is closed. Thread safe. */
  public static final class Sample implements AutoCloseable {
    private static final VarHandle CLOSED;

    static {
      try {
        CLOSED = MethodHandles.lookup().findVarHandle(Sample.class, "closed", boolean.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private final RoutingLoad load;
    private final Flow flow;
    private final long started;

    @SuppressWarnings("unused") // written through CLOSED
    private volatile boolean closed;

    private Sample(RoutingLoad load, Flow flow) {
      this.load = load;
      this.flow = flow;
      this.started = load.begin(flow);
    }

    /** The call ended. Only the first time counts. */
    @Override
    public void close() {
      if (CLOSED.compareAndSet(this, false, true)) {
        load.end(flow, started);
      }
    }
  }
}
