package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.RouteDecision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The choosing part of a {@link ShardRouter} on its own: picks a shard for each call, and learns
 * from what is said to have come of it. It calls nobody; how a shard is reached is not its affair.
 *
 * <pre>{@code
 * ShardPicker picker = ShardPicker.builder().members(List.of(ShardMember.of("a"), ShardMember.of("b")));
 * Pick pick = picker.pick();
 * try {
 *   Answer answer = call(pick.shard());
 *   pick.answered(answer.load());
 * } catch (IOException e) {
 *   pick.failed();
 *   throw e;
 * }
 * }</pre>
 *
 * <p>Under the improved policy a pick takes constant time and allocates nothing but what it
 * returns, however many shards there are; threads share no counter but those of the shards they
 * call.
 *
 * <p>Thread safe.
 */
public final class ShardPicker {
  private static final String NUMBERED = "shard-";

  private final PickerConfig config;
  private final Picks picks;
  private final boolean numbered;

  private ShardPicker(PickerConfig config, Picks picks, boolean numbered) {
    this.config = config;
    this.picks = picks;
    this.numbered = numbered;
  }

  /** Configures a picker. */
  public static ShardPickerBuilder builder() {
    return new ShardPickerBuilder();
  }

  static ShardPicker numbered(PickerConfig config) {
    return new ShardPicker(
        config,
        config.policy() == RoutingPolicy.COMPATIBLE
            ? CompatiblePicks.numbered(config)
            : ImprovedPicks.numbered(config),
        true);
  }

  static ShardPicker members(PickerConfig config, Iterable<ShardMember> members) {
    List<ShardMember> list = distinct(members);
    return new ShardPicker(
        config,
        config.policy() == RoutingPolicy.COMPATIBLE
            ? CompatiblePicks.members(config, list)
            : ImprovedPicks.members(config, list),
        false);
  }

  /** The name of a numbered shard: {@code shard-0} and so on. */
  static String numberedName(int number) {
    return NUMBERED + number;
  }

  /** What it was built with. */
  public PickerConfig config() {
    return config;
  }

  /**
   * Picks a shard for a call that begins now. Say what came of it to the pick.
   *
   * @throws RoutingException WM2302 if there is no member
   */
  public Pick pick() {
    return picks.pick();
  }

  /**
   * From now on these are the members. What is known of those that stay is kept, and dies with
   * those that go; calls that are under way there end as they do.
   *
   * @throws IllegalArgumentException if two members have one name
   * @throws IllegalStateException if the shards are numbered
   */
  public void members(Iterable<ShardMember> members) {
    if (numbered) {
      throw new IllegalStateException("numbered shards have no members; their width does it");
    }
    picks.members(distinct(members));
  }

  private static List<ShardMember> distinct(Iterable<ShardMember> members) {
    List<ShardMember> list = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (ShardMember member : members) {
      if (!names.add(member.name())) {
        throw new IllegalArgumentException("two members are named " + member.name());
      }
      list.add(member);
    }
    return list;
  }

  /** How many shards it picks among now: the width, the members or the subset of them. */
  public int width() {
    return picks.width();
  }

  /**
   * The loads that count now, by shard: a copy, made for this call.
   *
   * @return not to be changed
   */
  public Map<String, LoadSnapshot> observations() {
    return picks.observations();
  }

  /**
   * Where a pick would most likely go now, and what is known of the others. Draws nothing, counts
   * nothing and changes nothing.
   */
  public RouteDecision inspect() {
    return picks.inspect();
  }

  @Override
  public String toString() {
    return "ShardPicker[" + config + ", width=" + picks.width() + "]";
  }
}
