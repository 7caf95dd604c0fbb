package io.waymark.cli.shards;

import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemberState;
import java.util.stream.Collectors;

/** Snapshots for people, and what the demo adds to them. */
final class Beliefs {
  /** The attribute of the first member that says when the group was changed, in microseconds. */
  static final String CHANGED_AT = "changed-at";

  private Beliefs() {}

  /** Such as {@code 1 active, 2 draining}: members by the ends of their names. */
  static String text(GroupSnapshot group) {
    return group.members().stream().map(Beliefs::text).collect(Collectors.joining(", "));
  }

  private static String text(Member member) {
    String id = member.id().substring(member.id().lastIndexOf('-') + 1);
    String weight = member.state() == MemberState.ACTIVE ? " x" + (int) member.weight() : "";
    return id + " " + member.state() + weight;
  }

  /** When it was changed, in microseconds since 1970; 0 where nobody said. */
  static long changedAt(GroupSnapshot group) {
    return group.members().stream()
        .mapToLong(each -> Long.parseLong(each.attributes().getOrDefault(CHANGED_AT, "0")))
        .max()
        .orElse(0);
  }
}
