package io.waymark.topology.routing;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is usual among the shards that are used: what a shard is taken for that is not known.
 *
 * @param others calls of other processes under way, on average of the shards that are known, for
 *     one of weight 1
 * @param backlog deliveries that wait, likewise
 * @param boundedBacklog the same where no shard counts for more than one and a half times the
 *     limit, so that one alone, of two, does not lift it above the limit
 * @param latencyNanos the time of a call, on average of the shards that have a sample; NaN if none
 *     has
 * @param known how many shards are known
 */
record Usual(double others, double backlog, double boundedBacklog, double latencyNanos, int known) {
  static final Usual NOTHING = new Usual(0, 0, 0, Double.NaN, 0);

  /** Looks at all. */
  static Usual of(List<ShardCell> shards, long now, Standing standing) {
    double others = 0;
    double backlog = 0;
    double bounded = 0;
    int known = 0;
    double weight = 0;
    double latency = 0;
    int timed = 0;
    for (int i = 0; i < shards.size(); i++) {
      ShardCell shard = shards.get(i);
      @Nullable Observation seen = shard.observation();
      if (seen != null && now - seen.receivedAt() < standing.windowNanos()) {
        known++;
        weight += shard.weight();
        others += seen.others();
        backlog += seen.load().pendingDeliveries();
        bounded += Math.min(seen.load().pendingDeliveries(), standing.softBacklogLimit() * 3 / 2);
      }
      double its = shard.vitals().latencyNanos();
      if (!Double.isNaN(its)) {
        timed++;
        latency += its;
      }
    }
    double divisor = known == 0 ? 1 : weight;
    return new Usual(
        others / divisor,
        backlog / divisor,
        bounded / Math.max(1, known),
        timed == 0 ? Double.NaN : latency / timed,
        known);
  }
}
