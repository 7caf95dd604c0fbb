package io.waymark.topology;

import java.util.List;

/** Snapshots for tests. */
final class Groups {
  private Groups() {}

  /** A snapshot of {@code acme} with one member that is named after the stamp. */
  static GroupSnapshot acme(String stamp) {
    return snapshot("acme", stamp);
  }

  static GroupSnapshot snapshot(String group, String stamp) {
    return new GroupSnapshot(
        group, Stamp.parse(stamp), List.of(Member.active("member-of-" + stamp)));
  }

  static Tombstone tombstone(String group, String stamp) {
    return new Tombstone(group, Stamp.parse(stamp));
  }
}
