package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import org.jspecify.annotations.Nullable;

/** A pick of the compatible policy, which counts nothing while a call is under way. */
final class CompatiblePick implements Pick {
  private final CompatiblePicks picks;
  private final String shard;
  private boolean ended;

  CompatiblePick(CompatiblePicks picks, String shard) {
    this.picks = picks;
    this.shard = shard;
  }

  @Override
  public String shard() {
    return shard;
  }

  @Override
  public RoutingReason reason() {
    return RoutingReason.AUTO;
  }

  @Override
  public void answered(@Nullable LoadSnapshot load) {
    if (!ended && load != null) {
      picks.answered(shard, load);
    }
    ended = true;
  }

  @Override
  public void failed() {
    ended = true; // what is known of the shard stays as it is, as published
  }

  @Override
  public void abandoned() {
    ended = true;
  }

  @Override
  public String toString() {
    return reason().text(shard);
  }
}
