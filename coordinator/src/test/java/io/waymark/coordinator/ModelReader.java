package io.waymark.coordinator;

import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.SnapshotReader;
import io.waymark.topology.Stamp;
import io.waymark.topology.TopologyClient;
import io.waymark.topology.TopologyUnavailableException;
import io.waymark.topology.UnavailableReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A reader that remembers how far it has come, by itself. */
final class ModelReader implements AutoCloseable {
  private final TopologyClient client;
  private final Map<String, Stamp> furthest = new HashMap<>();
  private final Map<Sighting, List<Member>> seen = new HashMap<>();

  private record Sighting(String group, Stamp stamp) {}

  /**
   * @param kept how many groups it may keep
   */
  ModelReader(SnapshotReader reader, LongSupplier ticker, int kept) {
    client = TopologyClient.builder(reader).maxGroups(kept).ticker(ticker).build();
  }

  /**
   * What it is told now; empty if the group was deleted, or cannot be had.
   *
   * @throws AssertionError if that is older than what it was told before
   */
  Optional<GroupSnapshot> read(String group) {
    try {
      GroupSnapshot now = client.get(group);
      check(group, now.stamp());
      List<Member> before = seen.putIfAbsent(new Sighting(group, now.stamp()), now.members());
      if (before != null && !before.equals(now.members())) {
        throw new AssertionError(now + " was " + before + " before, under the same stamp");
      }
      return Optional.of(now);
    } catch (TopologyUnavailableException e) {
      if (e.reason() == UnavailableReason.DELETED) {
        client.inspect(group).highest().ifPresent(stamp -> check(group, stamp));
      }
      return Optional.empty();
    }
  }

  private void check(String group, Stamp stamp) {
    Stamp before = furthest.put(group, stamp);
    if (before != null && before.isNewerThan(stamp)) {
      throw new AssertionError("group " + group + " went back from " + before + " to " + stamp);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
