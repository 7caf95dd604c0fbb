package io.waymark.topology.routing;

import io.waymark.core.JumpHash;
import io.waymark.core.OptionText;
import io.waymark.core.Rendezvous;
import io.waymark.core.RouteDecision;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a router's shards come from, and how each is reached. Thread safe.
 *
 * @param <S> the type of what is called
 */
sealed interface ShardSource<S> permits ShardSource.Numbered, ShardSource.Named, GroupSource {

  /** A picker of these shards. */
  ShardPicker picker(ShardPickerBuilder picking);

  /** Brings the picker up to date with who is there. */
  default void refresh(ShardPicker picker) {}

  /**
   * What is called to reach a shard.
   *
   * @throws RoutingException WM2301 if there is no such shard
   */
  S stub(Shard shard);

  /** The same for a shard that the picker gave, which may have left in this moment. */
  default S stubOfPick(Shard shard) {
    return stub(shard);
  }

  /** The shard of a key. */
  String ofKey(String key, PickerConfig config);

  /** Adds what the picker does not know. */
  default RouteDecision explained(RouteDecision decision) {
    return decision;
  }

  /** Calls the application's function, which must not give nothing. */
  static <T, S> S reached(Shard shard, T by, Function<? super T, ? extends S> reach) {
    @Nullable S stub = reach.apply(by);
    if (stub == null) {
      throw new RoutingException(
          RoutingError.BAD_SHARD,
          "nothing is there to reach shard " + OptionText.quote(shard.name()) + " by");
    }
    return stub;
  }

  /** Shards {@code shard-0}, {@code shard-1} and so on, or whatever a rule names. */
  record Numbered<S>(Function<? super Shard, ? extends S> reach) implements ShardSource<S> {
    @Override
    public ShardPicker picker(ShardPickerBuilder picking) {
      return picking.numbered();
    }

    @Override
    public S stub(Shard shard) {
      return reached(shard, shard, reach);
    }

    /** The most that the width can be: where a key belongs must not move with the load. */
    @Override
    public String ofKey(String key, PickerConfig config) {
      return ShardPicker.numberedName(JumpHash.bucket(key, config.maxWidth()));
    }
  }

  /** These shards and no others. */
  record Named<S>(Map<String, S> stubs, Rendezvous<String> keys) implements ShardSource<S> {
    Named(Map<String, ? extends S> stubs) {
      this(Map.copyOf(stubs), Rendezvous.of(List.copyOf(stubs.keySet())));
    }

    @Override
    public ShardPicker picker(ShardPickerBuilder picking) {
      return picking.members(keys.members().stream().map(ShardMember::of).toList());
    }

    @Override
    public S stub(Shard shard) {
      @Nullable S stub = stubs.get(shard.name());
      if (stub == null) {
        throw new RoutingException(
            RoutingError.BAD_SHARD,
            OptionText.quote(shard.name()) + " is none of the " + stubs.size() + " shards");
      }
      return stub;
    }

    @Override
    public String ofKey(String key, PickerConfig config) {
      return keys.pick(key);
    }
  }
}
