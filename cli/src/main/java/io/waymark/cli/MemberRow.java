package io.waymark.cli;

import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A member in JSON and in tables.
 *
 * @param state as a word
 */
record MemberRow(String id, String state, Map<String, String> attributes) {
  static MemberRow of(Member member) {
    return new MemberRow(member.id(), member.state().text(), member.attributes());
  }

  static List<MemberRow> of(GroupSnapshot group) {
    return group.members().stream().map(MemberRow::of).toList();
  }

  static Table table(List<MemberRow> members) {
    Table table = new Table("member", "state", "attributes");
    members.forEach(each -> table.row(each.id(), each.state(), each.attributesText()));
    return table;
  }

  /** {@code endpoint=http://10.0.0.7, weight=2}; a dash for none. */
  private String attributesText() {
    return attributes.isEmpty()
        ? "-"
        : attributes.entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining(", "));
  }

  /** Id and state, such as {@code acme-1 draining}. */
  String text() {
    return id + " " + state;
  }
}
