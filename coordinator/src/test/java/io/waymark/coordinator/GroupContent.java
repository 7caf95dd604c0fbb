package io.waymark.coordinator;

import io.waymark.testing.SeededRandom;
import io.waymark.topology.Member;
import io.waymark.topology.MemberState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What the model knows of a group: its members, in their order, and its values. Immutable.
 *
 * @param members none if the group is not there
 */
record GroupContent(List<Member> members, SortedMap<String, Integer> values) {
  private static final List<MemberState> STATES = List.of(MemberState.values());

  static final GroupContent NONE = new GroupContent(List.of(), new TreeMap<>());

  /** What a caller wants, told apart by its number. */
  record Edit(String text, UnaryOperator<GroupContent> change) {
    @Override
    public String toString() {
      return text;
    }
  }

  boolean exists() {
    return !members.isEmpty();
  }

  GroupContent with(Member member) {
    List<Member> next = new ArrayList<>(members);
    int place = place(member.id());
    if (place < 0) {
      next.add(member);
    } else {
      next.set(place, member);
    }
    return new GroupContent(List.copyOf(next), values);
  }

  GroupContent without(String id) {
    if (members.size() < 2) {
      return this; // a group without members has to be deleted
    }
    List<Member> next = new ArrayList<>(members);
    next.removeIf(each -> each.id().equals(id));
    return new GroupContent(List.copyOf(next), values);
  }

  GroupContent in(String id, MemberState state) {
    int place = place(id);
    return place < 0 ? this : with(members.get(place).in(state));
  }

  GroupContent with(String channel, int value) {
    SortedMap<String, Integer> next = new TreeMap<>(values);
    next.put(channel, value);
    return new GroupContent(members, next);
  }

  private int place(String id) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).id().equals(id)) {
        return i;
      }
    }
    return -1;
  }

  /** Something to do to a group; number makes it different from all others. */
  static Edit edit(String group, int number, List<String> channels, SeededRandom random) {
    String id = group + "-" + random.nextInt(4);
    String other = group + "-" + random.nextInt(4);
    Member fresh = Member.active(id).with("n", String.valueOf(number));
    String channel = channels.get(random.nextInt(channels.size()));
    MemberState state = STATES.get(random.nextInt(STATES.size()));
    Edit edit =
        switch (random.nextInt(6)) {
          case 0 -> new Edit("put " + fresh, now -> now.with(fresh));
          case 1 ->
              new Edit(
                  "put " + fresh + " with " + channel + " " + number,
                  now -> now.with(fresh).with(channel, number));
          case 2 -> new Edit(id + " is " + state, now -> now.in(id, state));
          case 3 -> new Edit("remove " + id, now -> now.without(id));
          case 4 ->
              new Edit("remove " + other + ", put " + fresh, now -> now.with(fresh).without(other));
          default -> new Edit(channel + " " + number, now -> now.with(channel, number));
        };
    return new Edit(edit.text(), now -> edit.change().apply(now.exists() ? now : now.with(fresh)));
  }
}
