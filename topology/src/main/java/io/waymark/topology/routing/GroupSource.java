package io.waymark.topology.routing;

import io.waymark.core.OptionText;
import io.waymark.core.Rendezvous;
import io.waymark.core.RouteDecision;
import io.waymark.core.RouteDecision.PassedOver;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.TopologyClient;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The members of a group, as the topology client has them at each push: while nothing has changed
 * that is one comparison of references.
 */
final class GroupSource<S> implements ShardSource<S> {
  /** Who is there, as of one snapshot; and who was, for picks that were made a moment ago. */
  private record Playing(
      @Nullable GroupSnapshot snapshot,
      Map<String, Member> members,
      Map<String, Member> former,
      @Nullable Rendezvous<Member> keys) {

    @Nullable Member member(String id) {
      @Nullable Member member = members.get(id);
      return member == null ? former.get(id) : member;
    }
  }

  private final TopologyClient client;
  private final String group;
  private final MemberRole role;
  private final Function<? super Member, ? extends S> reach;
  private final AtomicReference<Playing> playing =
      new AtomicReference<>(new Playing(null, Map.of(), Map.of(), null));

  /** By member and not by id: one that moved to another endpoint is reached anew. */
  private final Map<Member, S> stubs = new ConcurrentHashMap<>();

  GroupSource(
      TopologyClient client,
      String group,
      MemberRole role,
      Function<? super Member, ? extends S> reach) {
    this.client = client;
    this.group = group;
    this.role = role;
    this.reach = reach;
  }

  /** It begins with nobody: building a router reads no store. */
  @Override
  public ShardPicker picker(ShardPickerBuilder picking) {
    return picking.members(List.of());
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the client returns the same object while nothing changed
  public void refresh(ShardPicker picker) {
    GroupSnapshot snapshot = client.get(group);
    Playing before = playing.get();
    if (snapshot == before.snapshot || isOlder(snapshot, before.snapshot)) {
      return;
    }
    if (playing.compareAndSet(before, playing(snapshot, before.members))) {
      follow(picker);
    }
  }

  /** Without a lock, so that whoever is told of changes may do anything: the last one wins. */
  @SuppressWarnings("ReferenceEquality") // whether it was replaced meanwhile
  private void follow(ShardPicker picker) {
    Playing followed;
    do {
      followed = playing.get();
      picker.members(
          followed.members.values().stream()
              .map(member -> new ShardMember(member.id(), member.weight()))
              .toList());
      stubs.keySet().retainAll(new HashSet<>(followed.members.values()));
    } while (playing.get() != followed);
  }

  /** Two callers may have got two snapshots, and the later one been here first. */
  private static boolean isOlder(GroupSnapshot snapshot, @Nullable GroupSnapshot before) {
    return before != null && before.stamp().isNewerThan(snapshot.stamp());
  }

  private Playing playing(GroupSnapshot snapshot, Map<String, Member> former) {
    List<Member> members = snapshot.members(role);
    Map<String, Member> byId = new LinkedHashMap<>();
    members.forEach(member -> byId.put(member.id(), member));
    return new Playing(
        snapshot,
        byId,
        former,
        members.isEmpty() ? null : Rendezvous.<Member>of(members, Member::id, Member::weight));
  }

  @Override
  public S stub(Shard shard) {
    return stub(shard, playing.get().members.get(shard.name()));
  }

  @Override
  public S stubOfPick(Shard shard) {
    return stub(shard, playing.get().member(shard.name()));
  }

  private S stub(Shard shard, @Nullable Member member) {
    if (member == null) {
      throw new RoutingException(
          RoutingError.BAD_SHARD,
          OptionText.quote(shard.name())
              + " is no member of group "
              + OptionText.quote(group)
              + " that takes pushes");
    }
    @Nullable S known = stubs.get(member);
    if (known != null) {
      return known;
    }
    // Outside of any lock: two callers may each make one at first, and one of the two is used.
    S made = ShardSource.reached(shard, member, reach);
    @Nullable S first = stubs.putIfAbsent(member, made);
    return first == null ? made : first;
  }

  @Override
  public String ofKey(String key, PickerConfig config) {
    @Nullable Rendezvous<Member> keys = playing.get().keys;
    if (keys == null) {
      throw new RoutingException(
          RoutingError.NO_SHARD,
          "no member of group " + OptionText.quote(group) + " takes pushes; activate one");
    }
    return keys.pick(key).id();
  }

  @Override
  public RouteDecision explained(RouteDecision decision) {
    @Nullable GroupSnapshot snapshot = playing.get().snapshot;
    if (snapshot == null) {
      return decision;
    }
    List<PassedOver> passedOver = new ArrayList<>(decision.passedOver());
    for (Member member : snapshot.members()) {
      if (!role.includes(member.state())) {
        passedOver.add(new PassedOver(member.id(), member.state().text()));
      }
    }
    return new RouteDecision(
        decision.operation(), decision.endpoint().orElse(null), decision.reason(), passedOver);
  }
}
