package io.waymark.durable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A time that goes on by itself and that a test can move ahead by minutes, for the process, its
 * alarms and its database at once.
 */
public final class StoreTime implements LongSupplier {
  private final long zero = System.nanoTime();
  private final long wall = TimeUnit.MILLISECONDS.toMicros(Instant.now().toEpochMilli());

  private final AtomicLong ahead = new AtomicLong();
  private final List<LongConsumer> hearers = new CopyOnWriteArrayList<>();
  private final List<DurableStore> stores = new CopyOnWriteArrayList<>();

  @Override
  public long getAsLong() {
    return System.nanoTime() + ahead.get();
  }

  private long micros() {
    return wall + TimeUnit.NANOSECONDS.toMicros(getAsLong() - zero);
  }

  /** Is told by how many microseconds this time is ahead of the real one. */
  public void onAdvance(LongConsumer hearer) {
    hearers.add(hearer);
    hearer.accept(TimeUnit.NANOSECONDS.toMicros(ahead.get()));
  }

  /** A store in a file of this process that lives in this time. */
  public DurableStore openFile(DurableStoreBuilder builder) {
    return opened(builder.clock(new StoreClock(StoreClock.PARAMETER, this::micros)));
  }

  /**
   * A store on a server that lives in this time.
   *
   * @param ahead a scalar query for the microseconds of {@link #onAdvance}
   */
  public DurableStore openServer(DurableStoreBuilder builder, String ahead) {
    String now = StoreClock.ofPostgres().sql();
    return opened(builder.clock(new StoreClock("(" + now + " + (" + ahead + "))", () -> 0)));
  }

  private DurableStore opened(DurableStoreBuilder builder) {
    DurableStore store = builder.ticker(this).open();
    stores.add(store);
    return store;
  }

  /** Moves ahead, and lets those look who sleep until a moment that has passed by that. */
  public void advance(Duration step) {
    long nanos = ahead.addAndGet(step.toNanos());
    hearers.forEach(each -> each.accept(TimeUnit.NANOSECONDS.toMicros(nanos)));
    stores.forEach(each -> each.scheduler().look());
  }
}
