package io.waymark.coordinator;

import io.waymark.coordinator.Channels.Issue;
import io.waymark.coordinator.Channels.Target;
import io.waymark.durable.Channel;
import io.waymark.durable.Item;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.MemberState;
import io.waymark.topology.SnapshotCodec;
import io.waymark.topology.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The difference between a group as it was read and as it shall be, and what must be staged with
 * it. Decided without the database. Immutable.
 *
 * @param values canonical JSON by the names of channels
 * @param kind what the change is about
 */
record Change(StoredGroup base, Kind kind, List<Member> members, Map<String, String> values) {
  /** What a change is about. */
  enum Kind {
    /** Members or values, as a caller wants them. */
    UPDATE,
    /** The group is deleted. */
    DELETE,
    /** Nothing but what a raised epoch asks for. */
    LIFT,
    /** What another authority published is to be replaced. */
    TAKE_OVER
  }

  /**
   * As a caller's function returned it.
   *
   * @param authority as whom it will be published
   * @throws IllegalArgumentException if it could not be published
   */
  static Change update(StoredGroup base, GroupDraft draft, String authority) {
    if (!draft.isOf(base)) {
      throw new IllegalArgumentException(
          "the function returned a draft that was not made from the one that it was given");
    }
    if (!base.exists() || !draft.members().equals(base.members())) {
      Stamp longest = new Stamp(authority, Long.MAX_VALUE, Long.MAX_VALUE);
      SnapshotCodec.encode(new GroupSnapshot(base.name(), longest, draft.members()));
    }
    return new Change(base, Kind.UPDATE, draft.members(), draft.states());
  }

  static Change delete(StoredGroup base) {
    return new Change(base, Kind.DELETE, List.of(), Map.of());
  }

  /** The same members and values. */
  static Change same(StoredGroup base, Kind kind) {
    Map<String, String> values = new TreeMap<>();
    base.states().forEach((channel, state) -> values.put(channel, state.value()));
    return new Change(base, kind, base.members(), values);
  }

  boolean changesMembers() {
    return kind == Kind.DELETE ? base.exists() : !members.equals(base.members());
  }

  private boolean changesValues() {
    return !values.equals(same(base, Kind.UPDATE).values);
  }

  /**
   * Whether there is nothing to commit.
   *
   * @param epoch the one that holds now
   */
  boolean isNothing(long epoch) {
    return switch (kind) {
      case UPDATE, DELETE -> !changesMembers() && !changesValues();
      case LIFT -> !base.isKnown() || base.epoch() >= epoch;
      case TAKE_OVER -> !base.exists();
    };
  }

  GroupTables.Head head(long epoch, String update) {
    long own = kind == Kind.TAKE_OVER ? base.epoch() + 1 : base.epoch();
    return new GroupTables.Head(
        base,
        Math.max(own, epoch),
        base.version() + (changesMembers() ? 1 : 0),
        kind == Kind.DELETE || (base.deleted() && kind != Kind.UPDATE),
        base.takesOver() || kind == Kind.TAKE_OVER,
        members,
        update);
  }

  /** The values with their roles; those that are new carry the number of this change. */
  Map<String, StoredGroup.State> states(States known, long changes) {
    Map<String, StoredGroup.State> next = new TreeMap<>();
    values.forEach(
        (channel, value) -> {
          StoredGroup.State before = base.states().get(channel);
          MemberRole role = known.role(channel, before == null ? MemberRole.WRITE : before.role());
          long setAt = before != null && before.value().equals(value) ? before.setAt() : changes;
          next.put(channel, new StoredGroup.State(role, value, setAt));
        });
    return next;
  }

  // ---- what is staged --------------------------------------------------------------------------

  /**
   * What is to be brought to the store and to members.
   *
   * @param head the row after the change
   * @param next the values after it
   */
  List<Item> items(
      GroupTables.Head head, Map<String, StoredGroup.State> next, States known, boolean joins) {
    List<Item> items = new ArrayList<>();
    boolean lifted = base.isKnown() && head.epoch() > base.epoch();
    if (changesMembers() || lifted) {
      items.add(Channels.PUBLICATION.item(base.name(), head.epoch() + "." + head.version()));
    }
    Issue issue = new Issue(head.epoch(), head.changes());
    TreeSet<String> channels = new TreeSet<>(base.states().keySet());
    channels.addAll(next.keySet());
    for (String channel : channels) {
      deliveries(
              channel, next.get(channel), known, lifted ? null : base.states().get(channel), issue)
          .forEach(items::add);
    }
    if (joins && members.stream().anyMatch(each -> each.state() == MemberState.JOINING)) {
      items.add(Channels.UPKEEP.item(Channels.join(base.name()), issue.text()));
    }
    return items;
  }

  /**
   * What one channel stages.
   *
   * @param held the value that members are known to hold or to be about to; null for none
   */
  private List<Item> deliveries(
      String name,
      StoredGroup.@Nullable State next,
      States known,
      StoredGroup.@Nullable State held,
      Issue issue) {
    Channel<String> channel = Channels.state(name);
    StoredGroup.State before = base.states().get(name);
    Map<String, MemberState> old = new HashMap<>();
    base.rows().forEach(row -> old.put(row.member().id(), row.member().state()));
    List<Item> items = new ArrayList<>();
    for (Member member : members) {
      MemberState was = old.remove(member.id());
      boolean received = received(before, was, known);
      boolean receives = received(next, member.state(), known);
      String key = new Target(base.name(), member.id()).key();
      if (receives && !(received && held != null && next != null && isSame(held, next))) {
        items.add(channel.item(key, issue.text()));
      } else if (received && !receives) {
        items.add(channel.cancellation(key));
      }
    }
    old.forEach(
        (id, was) -> {
          if (received(before, was, known)) {
            items.add(channel.cancellation(new Target(base.name(), id).key()));
          }
        });
    return items;
  }

  private static boolean isSame(StoredGroup.State held, StoredGroup.State next) {
    return held.value().equals(next.value());
  }

  private static boolean received(
      StoredGroup.@Nullable State value, @Nullable MemberState state, States known) {
    return value != null && state != null && known.receives(value.role(), state);
  }
}
