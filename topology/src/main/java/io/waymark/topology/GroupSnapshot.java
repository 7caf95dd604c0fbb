package io.waymark.topology;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The members of a group as its coordinator published them. Immutable.
 *
 * <p>A group is never without members: "there are none" cannot be told from "I could not see them",
 * so that a group without members is deleted instead, with a {@link Tombstone}.
 */
public final class GroupSnapshot implements Published {
  /** How many members a group may have. */
  public static final int MOST_MEMBERS = 10_000;

  private final String group;
  private final Stamp stamp;
  private final List<Member> members;
  private final List<Member> writeSet;
  private final List<Member> readSet;

  /**
   * @param group the group's name; at most 128 characters, no control characters, no white space
   *     around it
   * @param stamp when it was issued
   * @param members all members, in the coordinator's order; not empty, at most {@value
   *     #MOST_MEMBERS}
   * @throws IllegalArgumentException if the name cannot be used, there are no members or too many,
   *     or two have one id
   */
  public GroupSnapshot(String group, Stamp stamp, List<Member> members) {
    this.group = Names.check("group", group);
    this.stamp = stamp;
    this.members = List.copyOf(members);
    checkMembers(group, this.members);
    this.writeSet = playing(MemberRole.WRITE);
    this.readSet = playing(MemberRole.READ);
  }

  /** A snapshot that nobody published, with {@link Stamp#LOCAL}; as the constructor otherwise. */
  public static GroupSnapshot local(String group, List<Member> members) {
    return new GroupSnapshot(group, Stamp.LOCAL, members);
  }

  @Override
  public String group() {
    return group;
  }

  @Override
  public Stamp stamp() {
    return stamp;
  }

  /** All members, in the coordinator's order. */
  public List<Member> members() {
    return members;
  }

  /** Those that get new work: the active ones. May be empty while all are joining or draining. */
  public List<Member> writeSet() {
    return writeSet;
  }

  /** Those that may hold data: the active and the draining ones. */
  public List<Member> readSet() {
    return readSet;
  }

  /** {@link #writeSet} or {@link #readSet}. */
  public List<Member> members(MemberRole role) {
    return role == MemberRole.WRITE ? writeSet : readSet;
  }

  /** The member with this id. */
  public Optional<Member> member(String id) {
    return members.stream().filter(member -> member.id().equals(id)).findFirst();
  }

  private List<Member> playing(MemberRole role) {
    List<Member> playing = new ArrayList<>(members.size());
    for (Member member : members) {
      if (role.includes(member.state())) {
        playing.add(member);
      }
    }
    return playing.size() == members.size() ? members : List.copyOf(playing);
  }

  private static void checkMembers(String group, List<Member> members) {
    if (members.isEmpty()) {
      throw new IllegalArgumentException(
          "group " + group + " would have no members; delete it instead");
    }
    if (members.size() > MOST_MEMBERS) {
      throw new IllegalArgumentException(
          "group " + group + " would have more than " + MOST_MEMBERS + " members");
    }
    Set<String> ids = new HashSet<>();
    for (Member member : members) {
      if (!ids.add(member.id())) {
        throw new IllegalArgumentException(
            "group " + group + " would have two members " + member.id());
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GroupSnapshot that
        && group.equals(that.group)
        && stamp.equals(that.stamp)
        && members.equals(that.members);
  }

  @Override
  public int hashCode() {
    return 31 * group.hashCode() + stamp.hashCode();
  }

  /** Group, stamp and members, such as {@code acme 1.7@c1 [acme-0 (active)]}. */
  @Override
  public String toString() {
    return group + " " + stamp + " " + members;
  }
}
