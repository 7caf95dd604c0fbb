package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import java.util.Map;

/**
 * A rule of the application's: which shard a push goes to. It decides for the whole input, and
 * nothing corrects it: a shard that fails is called again if the rule says so.
 *
 * @param <I> the input's type
 */
@FunctionalInterface
public interface Sharding<I> {
  /**
   * The shard of a push. Called once for each push, on the caller's thread, by several at once.
   * What it throws the caller gets; nothing was sent.
   *
   * @param input what is pushed
   * @param context what the caller and the transforms say
   * @param seen the recent load of each shard that was heard of. It cannot be changed. Looking up a
   *     shard is quick however many there are; going through all costs a copy
   */
  Shard choose(I input, RoutingContext context, Map<String, LoadSnapshot> seen);
}
