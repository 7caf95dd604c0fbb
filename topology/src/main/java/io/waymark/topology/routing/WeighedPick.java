package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import org.jspecify.annotations.Nullable;

/** A pick of the improved policy: all that a pick leaves behind. */
final class WeighedPick implements Pick {
  /** Instead of when the call began. */
  static final long NOT_TIMED = Long.MIN_VALUE;

  private final ImprovedPicks picks;
  private final ShardCell shard;
  private final long startedAt;
  private final boolean trial;
  private boolean ended;

  WeighedPick(ImprovedPicks picks, ShardCell shard, long startedAt, boolean trial) {
    this.picks = picks;
    this.shard = shard;
    this.startedAt = startedAt;
    this.trial = trial;
  }

  @Override
  public String shard() {
    return shard.name();
  }

  @Override
  public RoutingReason reason() {
    return trial ? RoutingReason.TRIAL : RoutingReason.AUTO;
  }

  @Override
  public void answered(@Nullable LoadSnapshot load) {
    if (ends()) {
      picks.answered(shard, startedAt, trial, load);
    }
  }

  @Override
  public void failed() {
    if (ends()) {
      picks.failed(shard, trial);
    }
  }

  @Override
  public void abandoned() {
    if (ends()) {
      picks.abandoned(shard, trial);
    }
  }

  private boolean ends() {
    if (ended) {
      return false;
    }
    ended = true;
    return true;
  }

  @Override
  public String toString() {
    return reason().text(shard.name());
  }
}
