package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import org.jspecify.annotations.Nullable;

/** A shard that was named instead of picked: only its load is kept. */
record NamedPick(SeenLoads seen, String shard, RoutingReason reason) implements Pick {
  @Override
  public void answered(@Nullable LoadSnapshot load) {
    if (load != null) {
      seen.record(shard, load);
    }
  }

  @Override
  public void failed() {
    // The rule decides, also about a shard that failed.
  }

  @Override
  public void abandoned() {
    // Nothing was counted.
  }
}
