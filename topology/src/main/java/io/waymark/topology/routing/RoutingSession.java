package io.waymark.topology.routing;

import io.waymark.core.Outcome;

/**
 * One push on its way through one transform.
 *
 * <p>It goes on once: what was sent is not sent again. Calling {@code next} a second time is an
 * {@link IllegalStateException}, before anything is done.
 *
 * @param <I> the input's type
 * @param <R> the type of what comes with acceptance
 */
public interface RoutingSession<I, R> {
  /** What is called: {@code push}. */
  String method();

  /** What is pushed. Transforms cannot change it. */
  I input();

  /** What the caller and the transforms so far said. */
  RoutingContext context();

  /**
   * Goes on to the next transform, or after the last one to the shard.
   *
   * @return what came of it
   */
  default Outcome<R> next() {
    return next(RoutingContext.EMPTY);
  }

  /**
   * Goes on, with more context.
   *
   * @param addition is merged into the context; where both have a key, this one's value wins
   * @return what came of it
   */
  Outcome<R> next(RoutingContext addition);
}
