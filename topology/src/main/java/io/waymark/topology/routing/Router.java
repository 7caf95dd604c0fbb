package io.waymark.topology.routing;

import io.waymark.core.Outcome;

/**
 * Pushes inputs to shards: a {@link ShardRouter}, or a view of one with transforms around each
 * push. Thread safe.
 *
 * @param <I> the input's type
 * @param <R> the type of what comes with acceptance
 */
public interface Router<I, R> {
  /**
   * Pushes an input to one shard, which is chosen and called once. Nothing is tried again.
   *
   * @return what the shard answered
   * @throws RoutingException if there was no shard to call; nothing was sent
   */
  default Outcome<R> push(I input) {
    return push(input, RoutingContext.EMPTY);
  }

  /**
   * Pushes an input to one shard, with context for the rule that chooses it and for transforms.
   *
   * @param context stays here: it is sent to nobody
   * @return what the shard answered
   * @throws RoutingException if there was no shard to call; nothing was sent
   */
  Outcome<R> push(I input, RoutingContext context);

  /**
   * A view of this router with one more transform, inside of those that it has: they run in the
   * order in which they were added. This router stays as it is.
   */
  Router<I, R> with(Transform<I, R> transform);
}
