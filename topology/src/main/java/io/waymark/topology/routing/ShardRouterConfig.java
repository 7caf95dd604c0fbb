package io.waymark.topology.routing;

import io.waymark.core.Meters;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Everything a {@link ShardRouter} was built with but the shards and the call: validated,
 * immutable.
 *
 * @param picking how a shard is chosen where there is neither a rule nor a key
 * @param sharding the application's rule; empty for none
 * @param key the key of an input; empty for none
 * @param failure whether an exception speaks against the shard
 * @param onRoute told of each choice; what it throws is ignored
 * @param meters where pushes are timed
 * @param <I> the input's type
 */
public record ShardRouterConfig<I>(
    PickerConfig picking,
    Optional<Sharding<? super I>> sharding,
    Optional<Function<? super I, String>> key,
    Predicate<Throwable> failure,
    Optional<Consumer<PushEvent>> onRoute,
    Meters meters) {

  /** How shards are chosen. */
  @Override
  public String toString() {
    return "ShardRouterConfig["
        + (sharding.isPresent() ? "by a rule" : key.isPresent() ? "by key" : picking.toString())
        + "]";
  }
}
