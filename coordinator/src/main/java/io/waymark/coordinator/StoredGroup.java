package io.waymark.coordinator;

import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.Published;
import io.waymark.topology.Stamp;
import io.waymark.topology.Tombstone;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A group as the database has it at one moment. Immutable.
 *
 * @param changes 0 if the group was never there
 * @param lastUpdate which call made the last change
 * @param states by the names of their channels
 */
record StoredGroup(
    String name,
    long epoch,
    long version,
    long changes,
    boolean deleted,
    boolean takesOver,
    String lastUpdate,
    List<Row> rows,
    Map<String, State> states) {

  /**
   * A member.
   *
   * @param place orders the members
   * @param emptySince when it first reported itself empty, in microseconds
   */
  record Row(Member member, int place, @Nullable Long emptySince) {}

  /**
   * A state's value.
   *
   * @param role of those who get it
   * @param value canonical JSON
   * @param setAt the group's changes when it was set
   */
  record State(MemberRole role, String value, long setAt) {}

  static StoredGroup unknown(String name) {
    return new StoredGroup(name, 0, 0, 0, false, false, "", List.of(), Map.of());
  }

  /** Whether the database knows the name, be it as that of a deleted group. */
  boolean isKnown() {
    return changes > 0;
  }

  boolean exists() {
    return isKnown() && !deleted;
  }

  List<Member> members() {
    return rows.stream().map(Row::member).toList();
  }

  Stamp stamp(String authority) {
    return new Stamp(authority, epoch, version);
  }

  /** What readers shall find. */
  Published published(String authority) {
    return deleted
        ? new Tombstone(name, stamp(authority))
        : new GroupSnapshot(name, stamp(authority), members());
  }
}
