package io.waymark.cli.simulation;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Calls that come in as a Poisson process, each from a caller by chance and with exponentially
 * distributed work of one unit on average.
 */
final class Traffic {
  /** How long a call takes that fails at once: the way there and back. */
  private static final double REFUSAL = 0.02;

  private final VirtualTime time;
  private final List<Shard> shards;
  private final List<? extends Caller> callers;
  private final SplittableRandom arrivals;
  private final SplittableRandom origins;
  private final SplittableRandom work;
  private double rate;
  private Times times = new Times();
  private long failures;

  /**
   * @param rate calls in a unit, of all callers together
   */
  Traffic(
      VirtualTime time,
      Chance chance,
      List<Shard> shards,
      List<? extends Caller> callers,
      double rate) {
    this.time = time;
    this.shards = shards;
    this.callers = callers;
    this.rate = rate;
    this.arrivals = chance.of("arrivals");
    this.origins = chance.of("origins");
    this.work = chance.of("work");
    next();
  }

  private void next() {
    time.after(VirtualTime.nanos(arrivals.nextExponential() / rate), this::arrive);
  }

  private void arrive() {
    next();
    one();
  }

  /** So many calls at once, beside those that come in one by one. */
  void burst(int calls) {
    for (int i = 0; i < calls; i++) {
      one();
    }
  }

  private void one() {
    long size = VirtualTime.nanos(work.nextExponential());
    int origin = callers.size() == 1 ? 0 : origins.nextInt(callers.size());
    send(callers.get(origin), size);
  }

  /** From the next call on they come at this rate. */
  void rate(double rate) {
    this.rate = rate;
  }

  private void send(Caller caller, long size) {
    long begun = time.getAsLong();
    Caller.Call call = caller.begin();
    Shard shard = shards.get(call.member());
    if (shard.isBroken()) {
      shard.refused();
      failures++;
      time.after(VirtualTime.nanos(REFUSAL), call::failed);
      return;
    }
    shard.take(
        size,
        () -> {
          call.answered(shard.says());
          times.add(time.getAsLong() - begun);
        });
  }

  /** Forgets what was measured so far, and measures anew for so many units. */
  Times measure(double units) {
    times = new Times();
    failures = 0;
    time.pass(units);
    return times;
  }

  /** Calls that failed since the last measurement began. */
  long failures() {
    return failures;
  }
}
