package io.waymark.topology.routing;

import org.jspecify.annotations.Nullable;

/**
 * How shards are compared: what one more call to a shard costs, in calls under way there.
 * Immutable.
 *
 * <p>The cost of a shard is the sum of
 *
 * <ul>
 *   <li>this process's own calls under way there, counted exactly ({@link ShardCell#cost});
 *   <li>those of others, as it said last, half of each: what is heard with answers is late, and
 *       earlier from the fast; that fades towards what is {@linkplain Usual usual} and is gone
 *       after {@value #HEARD} times the usual time of a call. Two choices by old loads alone are
 *       better than chance for ten times as long (Mitzenmacher, How Useful Is Old Information,
 *       2000), but beside own calls, which are counted exactly, what is old only blurs;
 *   <li>its backlog, in parts of the soft limit, each worth {@value #CALLS_AT_SOFT_LIMIT} calls;
 *       backlogs move slowly and fade over the window;
 *   <li>failed calls, each as if it were still under way, fading over the cost of a failure;
 *   <li>less than one call for how slow it is, if it is not about as fast as usual, times a random
 *       number: among shards that are equal otherwise the faster is preferred, and a slow one is
 *       still tried. Time comes last on purpose: where it decides alone, all meet at whoever was
 *       fast a moment ago.
 * </ul>
 *
 * <p>The sum of all but the first and the random number is worked out when something is heard of a
 * shard and a few times in the usual time of a call, so that a pick only adds.
 *
 * @param windowNanos how long a backlog is believed
 * @param softBacklogLimit the measure of a backlog
 * @param failureCostNanos the time over which a failed call fades
 */
record Standing(double windowNanos, long softBacklogLimit, double failureCostNanos) {
  /** As many calls under way a backlog at the soft limit is worth. */
  static final int CALLS_AT_SOFT_LIMIT = 16;

  /** So many usual times of a call it is believed what calls of others are under way. */
  static final int HEARD = 2;

  /** So many usual times of a call a latency is believed. */
  static final int BELIEVED = 20;

  /**
   * What one call of others is worth. In simulations of slow members and of boards that are a few
   * calls old, counting half beats counting all and counting none.
   */
  static final double HEARSAY = 0.5;

  /** What slowness costs a shard of the usual latency; the cost is in proportion to the latency. */
  static final double USUAL_SLOWNESS = 0.1;

  /** Latencies that differ less from the usual one are the same: that much is chance. */
  private static final double SAME_BELOW = 0.8;

  private static final double SAME_ABOVE = 1.25;
  private static final double LEAST_SLOWNESS = 0.01;
  private static final double MOST_SLOWNESS = 0.9;

  static Standing of(PickerConfig config) {
    return new Standing(
        config.window().toNanos(), config.softBacklogLimit(), config.failureCost().toNanos());
  }

  /** What is believed to be there besides this process's own calls. */
  double beyondOwn(ShardCell shard, long now, Usual usual) {
    double others = usual.others() * shard.weight();
    double backlog = usual.backlog() * shard.weight();
    @Nullable Observation seen = shard.observation();
    if (seen != null) {
      long age = now - seen.receivedAt();
      others += (seen.others() - others) * fade(age, usualCalls(usual, HEARD));
      backlog += (seen.load().pendingDeliveries() - backlog) * fade(age, windowNanos);
    }
    return others * HEARSAY
        + backlog * CALLS_AT_SOFT_LIMIT / softBacklogLimit
        + shard.failedCalls(now, failureCostNanos);
  }

  /** What its slowness costs at most; between 0 and 1. */
  double slowness(ShardCell shard, long now, Usual usual) {
    double latency = shard.vitals().latencyNanos();
    double mean = usual.latencyNanos();
    if (Double.isNaN(latency) || !(mean > 0)) {
      return USUAL_SLOWNESS;
    }
    double faded = mean + (latency - mean) * fade(now - shard.answeredAt(), believedNanos(usual));
    double ratio = faded / mean;
    return ratio > SAME_BELOW && ratio < SAME_ABOVE
        ? USUAL_SLOWNESS
        : Math.max(LEAST_SLOWNESS, Math.min(MOST_SLOWNESS, USUAL_SLOWNESS * ratio));
  }

  /** How long latencies are believed. */
  double believedNanos(Usual usual) {
    return usualCalls(usual, BELIEVED);
  }

  private double usualCalls(Usual usual, int calls) {
    double mean = usual.latencyNanos();
    return Double.isNaN(mean) ? windowNanos : Math.min(windowNanos, calls * mean);
  }

  private static double fade(long age, double end) {
    return age >= end ? 0 : age <= 0 ? 1 : 1 - age / end;
  }
}
