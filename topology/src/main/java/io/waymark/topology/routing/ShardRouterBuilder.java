package io.waymark.topology.routing;

import static java.util.Objects.requireNonNull;

import io.waymark.core.Meters;
import io.waymark.core.OptionException;
import io.waymark.core.Outcome;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Configures a {@link ShardRouter}. Nothing has to be given. Where an option is given twice the
 * later value counts. Not thread safe.
 *
 * @param <S> the type of what is called to reach a shard
 * @param <I> the input's type
 * @param <R> the type of what comes with acceptance
 */
public final class ShardRouterBuilder<S, I, R> {
  private final ShardSource<S> source;
  private final BiFunction<? super S, ? super I, Outcome<R>> call;
  private final ShardPickerBuilder picking = new ShardPickerBuilder();
  private @Nullable Sharding<? super I> sharding;
  private @Nullable Function<? super I, String> key;
  private Predicate<Throwable> failure = ShardRouterBuilder::speaksAgainstTheShard;
  private @Nullable Consumer<PushEvent> onRoute;
  private Meters meters = Meters.NONE;

  ShardRouterBuilder(ShardSource<S> source, BiFunction<? super S, ? super I, Outcome<R>> call) {
    this.source = source;
    this.call = call;
  }

  private static boolean speaksAgainstTheShard(Throwable thrown) {
    return !(thrown instanceof CancellationException) && !Thread.currentThread().isInterrupted();
  }

  /** How a shard is chosen; by default {@link RoutingPolicy#IMPROVED}. */
  public ShardRouterBuilder<S, I, R> policy(RoutingPolicy policy) {
    picking.policy(policy);
    return this;
  }

  /**
   * The backlog above which more numbered shards are used; by default 1000. See {@link
   * ShardPickerBuilder#softBacklogLimit}.
   *
   * @throws OptionException if it is not positive
   */
  public ShardRouterBuilder<S, I, R> softBacklogLimit(long softBacklogLimit) {
    picking.softBacklogLimit(softBacklogLimit);
    return this;
  }

  /** Everything about how a shard is chosen: {@code picking(p -> p.maxWidth(8).subset(0))}. */
  public ShardRouterBuilder<S, I, R> picking(Consumer<? super ShardPickerBuilder> settings) {
    settings.accept(picking);
    return this;
  }

  /**
   * Options as texts, by the paths of {@link RoutingOption}.
   *
   * @throws OptionException if a key is no option or a text cannot be used
   */
  public ShardRouterBuilder<S, I, R> properties(Map<String, String> texts) {
    picking.properties(texts);
    return this;
  }

  /**
   * A rule of the application's that names the shard of each push. Then nothing is compared, no
   * width moves and no shard is left out; loads are still kept, for the rule.
   */
  public ShardRouterBuilder<S, I, R> sharding(Sharding<? super I> sharding) {
    this.sharding = requireNonNull(sharding, "sharding");
    this.key = null;
    return this;
  }

  /**
   * Sends all pushes of one key to one shard, on every process alike. Over members by rendezvous
   * hashing: one that goes moves its own keys only. Over numbered shards by jump hashing over the
   * largest width, whatever the width is: raising {@code width.max} from n to n+1 moves one key in
   * n+1. Then nothing is compared and no shard is left out: a key's shard may know what it has had.
   */
  public ShardRouterBuilder<S, I, R> key(Function<? super I, String> key) {
    this.key = requireNonNull(key, "key");
    this.sharding = null;
    return this;
  }

  /**
   * Whether an exception of the call speaks against the shard; by default all do, but for
   * cancellations and what is thrown while the caller is interrupted. Whatever it says, the caller
   * gets the exception. What the test throws itself counts as yes and is ignored.
   */
  public ShardRouterBuilder<S, I, R> failure(Predicate<Throwable> failure) {
    this.failure = requireNonNull(failure, "failure");
    return this;
  }

  /**
   * Told of each choice right before the call, on the caller's thread: keep it short. What it
   * throws is logged and ignored.
   */
  public ShardRouterBuilder<S, I, R> onRoute(Consumer<PushEvent> onRoute) {
    this.onRoute = requireNonNull(onRoute, "onRoute");
    return this;
  }

  /** Where pushes are timed, see {@link RoutingMeterNames}; by default nowhere. */
  public ShardRouterBuilder<S, I, R> meters(Meters meters) {
    this.meters = requireNonNull(meters, "meters");
    return this;
  }

  /**
   * What has been configured so far.
   *
   * @throws OptionException if the options cannot be used together
   */
  public ShardRouterConfig<I> config() {
    return new ShardRouterConfig<>(
        picking.config(),
        Optional.ofNullable(sharding),
        Optional.ofNullable(key),
        failure,
        Optional.ofNullable(onRoute),
        meters);
  }

  /**
   * Builds the router. Nothing is called or read.
   *
   * @throws OptionException if the options cannot be used together
   */
  public ShardRouter<S, I, R> build() {
    return new ShardRouter<>(source, call, config(), source.picker(picking));
  }
}
