package io.waymark.topology.routing;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many numbered shards are used: one more while the backlog of all together is above the limit,
 * one less when most of those that would be left have long had a small one and the last is empty.
 * Always within its bounds.
 *
 * <p>Nothing moves unless more than half of the shards are known. For widening no shard counts for
 * more than one and a half times the limit, so that a single hot one, which more shards would not
 * help, widens nothing.
 *
 * <p>Used by one thread at a time.
 */
final class Width {
  /** The backlog is small below this part of the limit. */
  private static final double SMALL = 0.25;

  /** What was heard of the last shard must not be older than this, or what calls are believed. */
  private static final double RECENT = 1e9;

  private final PickerConfig config;
  private long changedAt;
  private boolean changed;

  Width(PickerConfig config) {
    this.config = config;
    this.changedAt = config.ticker().getAsLong();
  }

  /** How many are to be used, which is what is used now but for one more or less. */
  int next(List<ShardCell> used, long now, Usual usual, Standing standing) {
    int width = used.size();
    if (usual.known() * 2 <= width) {
      return width;
    }
    long since = now - changedAt;
    if (usual.boundedBacklog() > config.softBacklogLimit()) {
      boolean may = width < config.maxWidth();
      // The first one may come at once: an overload at the start need not wait.
      return may && (!changed || since >= config.widenAfter().toNanos())
          ? changedTo(width + 1, now)
          : width;
    }
    return width > config.minWidth()
            && since >= config.narrowAfter().toNanos()
            && mostOthersAreQuiet(used, now)
            && isDrained(used.get(width - 1), now, usual, standing)
        ? changedTo(width - 1, now)
        : width;
  }

  private int changedTo(int width, long now) {
    changedAt = now;
    changed = true;
    return width;
  }

  /** Whether more than half of those that would be left have little to do. */
  private boolean mostOthersAreQuiet(List<ShardCell> used, long now) {
    int quiet = 0;
    for (ShardCell shard : used.subList(0, used.size() - 1)) {
      @Nullable Observation seen = shard.observation();
      if (seen != null
          && now - seen.receivedAt() < config.window().toNanos()
          && seen.load().pendingDeliveries() < config.softBacklogLimit() * SMALL) {
        quiet++;
      }
    }
    return quiet * 2 > used.size() - 1;
  }

  private static boolean isDrained(ShardCell shard, long now, Usual usual, Standing standing) {
    @Nullable Observation seen = shard.observation();
    return seen != null
        && now - seen.receivedAt() <= Math.max(RECENT, standing.believedNanos(usual))
        && seen.load().pendingDeliveries() == 0
        && seen.load().inbound().inFlight() == 0
        && seen.load().outbound().inFlight() == 0
        && shard.vitals().inFlight() == 0;
  }
}
