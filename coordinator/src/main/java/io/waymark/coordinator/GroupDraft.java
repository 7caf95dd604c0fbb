package io.waymark.coordinator;

import io.waymark.topology.Member;
import io.waymark.topology.MemberState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A group as it is, and with each method as it shall be: {@link TopologyCoordinator#update} gives
 * one to the caller's function and takes the one that the function returns. Immutable: a method
 * returns a new draft and changes nothing.
 *
 * <p>A method that names a member which is not there, or adds one that is, throws {@link
 * IllegalArgumentException}; if the function lets it pass, the update changes nothing.
 */
public final class GroupDraft {
  private final StoredGroup base;
  private final States known;
  private final List<Member> members;
  private final Map<String, String> states;

  private GroupDraft(
      StoredGroup base, States known, List<Member> members, Map<String, String> states) {
    this.base = base;
    this.known = known;
    this.members = members;
    this.states = states;
  }

  static GroupDraft of(StoredGroup base, States known) {
    Map<String, String> states = new TreeMap<>();
    base.states().forEach((channel, state) -> states.put(channel, state.value()));
    return new GroupDraft(base, known, base.members(), states);
  }

  /** The group's name. */
  public String group() {
    return base.name();
  }

  /** Whether the group is there at present; if not, the update creates it. */
  public boolean exists() {
    return base.exists();
  }

  /** The members, in their order. */
  public List<Member> members() {
    return members;
  }

  /** The member with this id. */
  public Optional<Member> member(String id) {
    return members.stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /**
   * The value of a state; empty if the group has none.
   *
   * @throws IllegalArgumentException if the coordinator does not have the channel
   */
  public <T> Optional<T> state(StateChannel<T> channel) {
    known.require(channel);
    return Optional.ofNullable(states.get(channel.name())).map(channel::decode);
  }

  /** With one more member, at the end. */
  public GroupDraft add(Member member) {
    if (member(member.id()).isPresent()) {
      throw new IllegalArgumentException(
          "group " + group() + " has a member " + member.id() + " already; use put to replace it");
    }
    List<Member> more = new ArrayList<>(members);
    more.add(member);
    return with(more);
  }

  /** With this member in the place of the one with its id, or at the end. */
  public GroupDraft put(Member member) {
    return member(member.id()).isPresent() ? change(member.id(), old -> member) : add(member);
  }

  /** With this member active. */
  public GroupDraft activate(String id) {
    return change(id, member -> member.in(MemberState.ACTIVE));
  }

  /** With this member draining: it gets no new work, and is still read. */
  public GroupDraft drain(String id) {
    return change(id, member -> member.in(MemberState.DRAINING));
  }

  /** Without this member. */
  public GroupDraft remove(String id) {
    return change(id, member -> null);
  }

  /** With exactly these members, in this order. */
  public GroupDraft members(List<Member> members) {
    return with(members);
  }

  /**
   * With this value of a state.
   *
   * @throws IllegalArgumentException if the coordinator does not have the channel, or the value
   *     cannot be written as JSON
   */
  public <T> GroupDraft set(StateChannel<T> channel, T value) {
    known.require(channel);
    Map<String, String> more = new TreeMap<>(states);
    more.put(channel.name(), channel.encode(value));
    return new GroupDraft(base, known, members, more);
  }

  /** Without a value of this state. Members keep what they have; what is pending is taken back. */
  public GroupDraft clear(StateChannel<?> channel) {
    known.require(channel);
    Map<String, String> fewer = new TreeMap<>(states);
    fewer.remove(channel.name());
    return new GroupDraft(base, known, members, fewer);
  }

  private GroupDraft with(List<Member> members) {
    return new GroupDraft(base, known, List.copyOf(members), states);
  }

  private GroupDraft change(String id, UnaryOperator<@Nullable Member> change) {
    List<Member> changed = new ArrayList<>(members.size());
    boolean found = false;
    for (Member member : members) {
      if (member.id().equals(id)) {
        found = true;
        Member next = change.apply(member);
        if (next != null) {
          changed.add(next);
        }
      } else {
        changed.add(member);
      }
    }
    if (!found) {
      throw new IllegalArgumentException("group " + group() + " has no member " + id);
    }
    return with(changed);
  }

  boolean isOf(StoredGroup group) {
    return base.equals(group);
  }

  /** Canonical JSON by the names of channels. */
  Map<String, String> states() {
    return states;
  }

  /** Group and members; values may be secret. */
  @Override
  public String toString() {
    return group() + " " + members;
  }
}
