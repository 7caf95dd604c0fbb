package io.waymark.cli.simulation;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.OptionText;
import io.waymark.core.RouteDecision;
import io.waymark.topology.routing.Pick;
import io.waymark.topology.routing.RoutingOption;
import io.waymark.topology.routing.RoutingPolicy;
import io.waymark.topology.routing.ShardMember;
import io.waymark.topology.routing.ShardPicker;
import io.waymark.topology.routing.ShardPickerBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A caller that picks as the product's router does, by one of its policies. */
final class RoutedCaller implements Caller {
  /** How long the slow start is that the product has by default. */
  static final Duration SLOW_START =
      OptionText.duration(RoutingOption.SLOW_START, RoutingOption.SLOW_START.defaultText());

  private static final String PREFIX = "shard-";

  private final ShardPicker picker;

  private RoutedCaller(ShardPicker picker) {
    this.picker = picker;
  }

  /** A caller of these many members with the default policy and its default options. */
  static RoutedCaller improved(VirtualTime time, Chance chance, int members) {
    return new RoutedCaller(builder(RoutingPolicy.IMPROVED, time, chance).members(first(members)));
  }

  /** The same where it keeps to a subset, by its own name. */
  static RoutedCaller improved(VirtualTime time, Chance chance, int members, int subset) {
    ShardPickerBuilder builder = builder(RoutingPolicy.IMPROVED, time, chance).subset(subset);
    return new RoutedCaller(builder.members(first(members)));
  }

  /** The same where the subset goes by the caller's number. */
  static RoutedCaller improved(
      VirtualTime time, Chance chance, int members, int subset, int number) {
    ShardPickerBuilder builder =
        builder(RoutingPolicy.IMPROVED, time, chance).subset(subset).clientNumber(number);
    return new RoutedCaller(builder.members(first(members)));
  }

  /** A caller of all members that also asks them for their load, which they answer at once. */
  static RoutedCaller probing(
      VirtualTime time, Chance chance, int members, IntFunction<@Nullable LoadSnapshot> load) {
    return new RoutedCaller(
        builder(RoutingPolicy.IMPROVED, time, chance)
            .probe(name -> CompletableFuture.completedStage(load.apply(place(name))))
            .members(first(members)));
  }

  /** A caller of these many members with the compatible policy. */
  static RoutedCaller compatible(VirtualTime time, Chance chance, int members) {
    return new RoutedCaller(
        builder(RoutingPolicy.COMPATIBLE, time, chance).members(first(members)));
  }

  /** A caller of as many numbered shards as the policy finds right. */
  static RoutedCaller numbered(RoutingPolicy policy, VirtualTime time, Chance chance) {
    return new RoutedCaller(builder(policy, time, chance).numbered());
  }

  private static ShardPickerBuilder builder(RoutingPolicy policy, VirtualTime time, Chance chance) {
    return ShardPicker.builder()
        .policy(policy)
        .ticker(time)
        .clock(Shard.clock(time, Duration.ZERO))
        .client(Long.toHexString(chance.of("client").nextLong()))
        .random(chance.of("picks"));
  }

  /** So many members, named as numbered shards are. */
  private static List<ShardMember> first(int members) {
    return of(IntStream.range(0, members).boxed().toList());
  }

  private static List<ShardMember> of(List<Integer> members) {
    return members.stream().map(each -> ShardMember.of(PREFIX + each)).toList();
  }

  /** From now on the members are these, by their places. */
  void members(List<Integer> members) {
    picker.members(of(members));
  }

  /** Those of the members that it uses. */
  List<Integer> used() {
    RouteDecision now = picker.inspect();
    return Stream.concat(
            now.endpoint().stream(),
            now.passedOver().stream()
                .filter(each -> !each.reason().contains("outside"))
                .map(RouteDecision.PassedOver::endpoint))
        .map(RoutedCaller::place)
        .toList();
  }

  /** How many numbered shards it uses. */
  int width() {
    return picker.width();
  }

  private static int place(String name) {
    return Integer.parseInt(name, PREFIX.length(), name.length(), 10);
  }

  @Override
  public Call begin() {
    Pick pick = picker.pick();
    return new Picked(pick, place(pick.shard()));
  }

  private record Picked(Pick pick, int member) implements Call {
    @Override
    public void answered(@Nullable LoadSnapshot load) {
      pick.answered(load);
    }

    @Override
    public void failed() {
      pick.failed();
    }
  }
}
