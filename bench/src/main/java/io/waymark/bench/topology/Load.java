package io.waymark.bench.topology;

import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.InvalidSnapshotException;
import io.waymark.topology.Member;
import io.waymark.topology.SnapshotCodec;
import io.waymark.topology.Stamp;
import java.util.List;

/** What is written and read: the same text by all contenders. */
final class Load {
  private static final String NUMBER = "change";

  private Load() {}

  /** Three members, of which one carries the number of the change. */
  static List<Member> members(long number) {
    return List.of(
        Member.active("shard-0").with(NUMBER, Long.toString(number)),
        Member.active("shard-1").with("endpoint", "https://10.0.0.7"),
        Member.active("shard-2").with("endpoint", "https://10.0.0.8"));
  }

  /** The number of the change that a reader has. */
  static long number(GroupSnapshot snapshot) {
    return Long.parseLong(snapshot.members().get(0).attributes().getOrDefault(NUMBER, "0"));
  }

  /** For stores that hold any text: as Waymark stores it. */
  static String encoded(String group, long number) {
    return SnapshotCodec.encode(
        new GroupSnapshot(group, new Stamp("bench", 1, number), members(number)));
  }

  /** As a reader of such a store reads it. */
  static long number(String group, String encoded) throws InvalidSnapshotException {
    return number((GroupSnapshot) SnapshotCodec.decode(group, encoded));
  }
}
