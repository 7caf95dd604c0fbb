package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.Member;
import io.waymark.core.Vitals;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one shard. It is born and dies with the shard's membership; views share it.
 * Thread safe.
 */
final class ShardCell implements Member {
  /** Failed calls that count as if they were under way. */
  private record Failed(double calls, long at) {
    double now(long now, double costNanos) {
      return now - at <= 0 ? calls : calls * Math.exp((at - now) / costNanos);
    }
  }

  private static final double FORGOTTEN = 0.01;

  private final String name;
  private final int ordinal;
  private final Vitals vitals;
  private final AtomicReference<@Nullable Observation> observation = new AtomicReference<>();
  private final AtomicReference<@Nullable Failed> failed = new AtomicReference<>();

  /** Somebody tries whether it may return. */
  private final AtomicBoolean trial = new AtomicBoolean();

  /** Somebody has asked it for its load. */
  private final AtomicBoolean asked = new AtomicBoolean();

  private volatile double weight;
  private volatile double beyondOwn;
  private volatile double slowness = Standing.USUAL_SLOWNESS;
  private volatile long answeredAt;
  private volatile long trialAt;

  ShardCell(String name, int ordinal, double weight, Vitals vitals) {
    this.name = name;
    this.ordinal = ordinal;
    this.weight = weight;
    this.vitals = vitals;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int ordinal() {
    return ordinal;
  }

  @Override
  public double weight() {
    return weight;
  }

  void weight(double weight) {
    this.weight = weight;
  }

  @Override
  public Vitals vitals() {
    return vitals;
  }

  /** What one more call costs, with the random part that decides between equals. */
  double cost(RandomGenerator random) {
    double slow = slowness;
    return vitals.inFlight()
        + beyondOwn
        // Most are as fast as usual: what is equal need not be drawn.
        + (slow == Standing.USUAL_SLOWNESS ? slow / 2 : slow * random.nextDouble());
  }

  /** The same on average. */
  double expectedCost() {
    return vitals.inFlight() + beyondOwn + slowness / 2;
  }

  /** Works out what a pick only adds. */
  void settle(long now, Usual usual, Standing standing) {
    vitals.circuit().share(); // sees whether slow start is over, so that no pick need look
    beyondOwn = standing.beyondOwn(this, now, usual);
    slowness = standing.slowness(this, now, usual);
  }

  /** What was heard last; null if nothing was. */
  @Nullable Observation observation() {
    return observation.get();
  }

  /** Takes what the shard says of its load, unless that is older than what is known. */
  void observe(LoadSnapshot load, long now) {
    @Nullable Observation before;
    do {
      before = observation.get();
      if (!Observation.isNews(load, before)) {
        return;
      }
    } while (!observation.compareAndSet(
        before, Observation.of(load, now, vitals.inFlight(), before)));
  }

  /** A call was answered that took so long. */
  void answered(long now, long nanos) {
    answeredAt = now;
    vitals.latency(nanos);
  }

  long answeredAt() {
    return answeredAt;
  }

  /** A call failed. However fast that was, it tells nothing of how fast the shard is. */
  void failed(long now, double costNanos) {
    if (costNanos == 0) {
      return;
    }
    failed.updateAndGet(
        before -> new Failed(1 + (before == null ? 0 : before.now(now, costNanos)), now));
  }

  /** Failed calls that still count as under way. */
  double failedCalls(long now, double costNanos) {
    @Nullable Failed some = failed.get();
    if (some == null) {
      return 0;
    }
    double left = some.now(now, costNanos);
    if (left < FORGOTTEN) {
      failed.compareAndSet(some, null);
      return 0;
    }
    return left;
  }

  /** From when on it may be tried again. */
  void trialAt(long nanos) {
    trialAt = nanos;
  }

  long trialAt() {
    return trialAt;
  }

  /** Whether the caller is the one who tries it now. */
  boolean beginTrial(long now) {
    return now - trialAt >= 0 && trial.compareAndSet(false, true);
  }

  void endTrial() {
    trial.set(false);
  }

  boolean isTried() {
    return trial.get();
  }

  /** Whether the caller is the one who asks it now. */
  boolean beginAsking() {
    return asked.compareAndSet(false, true);
  }

  void endAsking() {
    asked.set(false);
  }

  @Override
  public String toString() {
    return name + " " + vitals;
  }
}
