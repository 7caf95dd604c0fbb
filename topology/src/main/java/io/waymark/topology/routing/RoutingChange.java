package io.waymark.topology.routing;

/** Something about the shards that are used has changed. */
public sealed interface RoutingChange {
  /**
   * A shard is left out, because calls to it failed.
   *
   * @param shard its name
   * @param failures how many in a row
   */
  record Ejected(String shard, int failures) implements RoutingChange {}

  /**
   * A shard that was left out is used again, in slow start.
   *
   * @param shard its name
   */
  record Returned(String shard) implements RoutingChange {}

  /**
   * More or fewer numbered shards are used.
   *
   * @param before how many until now
   * @param after how many from now on
   */
  record Resized(int before, int after) implements RoutingChange {}
}
