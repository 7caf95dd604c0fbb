package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.RouteDecision;
import java.util.List;
import java.util.Map;

/** One policy at work. Thread safe. */
sealed interface Picks permits ImprovedPicks, CompatiblePicks {
  /**
   * Picks a shard for one call.
   *
   * @throws RoutingException WM2302 if there is none
   */
  Pick pick();

  /** From now on these are the members. */
  void members(List<ShardMember> members);

  /** How many shards are picked among. */
  int width();

  /** The loads that count now, by shard. */
  Map<String, LoadSnapshot> observations();

  /** Where a pick would most likely go. */
  RouteDecision inspect();
}
