package io.waymark.topology.routing;

/** How a shard is chosen where the application has no rule of its own. */
public enum RoutingPolicy {
  /**
   * Waymark's own: two distinct candidates, compared by what is under way there and by their
   * backlog; failing shards are left out for a while, new ones start slowly, and the width follows
   * all shards together.
   */
  IMPROVED,
  /**
   * The published design to the letter, with its weaknesses: two candidates that may be the same,
   * an unknown shard wins, a failed call changes nothing, clocks of two machines are compared, and
   * the width follows whichever shard answered. For comparisons, and for those who rely on it.
   */
  COMPATIBLE
}
