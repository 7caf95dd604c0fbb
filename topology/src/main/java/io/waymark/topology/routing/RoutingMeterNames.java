package io.waymark.topology.routing;

import io.waymark.core.Meters;

/**
 * The names of the router's meters and their tags. A name that is published keeps its meaning and
 * its tags.
 *
 * <table>
 * <caption>Pushed to {@link Meters}</caption>
 * <tr><th>name</th><th>kind</th><th>tags</th></tr>
 * <tr><td>{@value #PUSH}</td><td>timer</td><td>reason, outcome</td></tr>
 * </table>
 *
 * <p>No meter has the shard as a tag: rules may name as many shards as there are customers. Who
 * wants one counts in {@link ShardRouterBuilder#onRoute}.
 */
public final class RoutingMeterNames {
  /**
   * Time of the call to the shard. Tags: {@link #REASON}, {@code auto}, {@code trial}, {@code
   * sharding} or {@code key}; {@link #OUTCOME}, {@code accepted}, {@code rejected} or {@code
   * failed}, which is: an exception.
   */
  public static final String PUSH = "waymark.push";

  /** Tag: why the shard was chosen. */
  public static final String REASON = "reason";

  /** Tag: what came of it. */
  public static final String OUTCOME = "outcome";

  private RoutingMeterNames() {}
}
