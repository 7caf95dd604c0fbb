package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.durable.DurableStore;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.MemorySnapshots;
import io.waymark.topology.TopologyClient;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A coordinator that changes groups and leaves it to another one to tell of it. */
class LeavePublishingTest {
  static Stream<Supplier<TestDatabase>> databases() {
    return Stream.of(SqliteDatabase::new, PostgresDatabase::new);
  }

  @ParameterizedTest
  @MethodSource("databases")
  void anotherOnePublishesAndDeliversWhatItChanged(Supplier<TestDatabase> made) {
    MemorySnapshots published = new MemorySnapshots();
    Shards shards = new Shards();
    StateChannel<Limits> limits =
        StateChannel.of("limits", Limits.class).members(MemberRole.READ).deliver(shards);
    try (TestDatabase database = made.get()) {
      UpdateResult changed;
      try (DurableStore store = database.store().open();
          TopologyCoordinator tool =
              TopologyCoordinator.builder(store).state(limits).leavePublishing().build()) {
        changed =
            tool.update(
                "acme", now -> now.add(Member.active("acme-0")).set(limits, new Limits(100)));

        assertThat(changed.changed()).isTrue();
        assertThat(changed.published()).isFalse();
        assertThat(tool.publication("acme").orElseThrow().pending()).isTrue();
        assertThat(tool.publication("acme").orElseThrow().attempts()).isZero();
        assertThat(tool.states("acme")).isEqualTo(Map.of("limits", MemberRole.READ));
        assertThat(tool.states("other")).isEmpty();
      }
      try (DurableStore store = database.store().open();
          TopologyCoordinator service =
              TopologyCoordinator.builder(store)
                  .publisher(published.publisher())
                  .state(limits)
                  .build();
          TopologyClient reader = TopologyClient.builder(published.reader()).build()) {
        await()
            .untilAsserted(
                () -> {
                  assertThat(service.publication("acme").orElseThrow().pending()).isFalse();
                  assertThat(shards.of("acme-0")).isEqualTo(new Limits(100));
                });
        assertThat(reader.get("acme").stamp()).isEqualTo(changed.stamp());
      }
    }
  }
}
