package io.waymark.topology.routing;

import io.waymark.core.Outcome;

/**
 * Something that happens around every push of a router that was made {@linkplain Router#with with}
 * it: it adds context, looks at what came of the push, waits no longer, or refuses the push before
 * it reaches a shard.
 *
 * <p>Transforms are shared by all pushes and by threads: they are immutable or thread safe. The
 * first that was added is the outermost.
 *
 * @param <I> the input's type
 * @param <R> the type of what comes with acceptance
 */
@FunctionalInterface
public interface Transform<I, R> {
  /**
   * Takes a push through. To let it pass is {@code session.next()}.
   *
   * <p>What it returns the caller gets. It may return a rejection of its own only if it did not
   * call {@code next}: then nothing was sent. What is thrown below passes through; to turn it into
   * a rejection would say that nothing was written when nobody knows.
   *
   * @param session the push
   * @return what came of it
   */
  Outcome<R> apply(RoutingSession<I, R> session);
}
