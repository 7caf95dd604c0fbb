package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.waymark.durable.DurableStore;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemorySnapshots;
import io.waymark.topology.Stamp;
import io.waymark.topology.TopologyClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The database fails over to a standby that had not received the last changes, for real. */
class DatabaseFailoverTest {
  private final MemorySnapshots snapshots = new MemorySnapshots();
  private final Shards shards = new Shards();
  private final StateChannel<Limits> limits =
      StateChannel.of("limits", Limits.class).backoff(Fast.BACKOFF).deliver(shards);

  private TopologyCoordinator topology(DurableStore store) {
    return TopologyCoordinator.builder(store)
        .publisher(snapshots.publisher())
        .backoff(Fast.BACKOFF)
        .state(limits)
        .build();
  }

  @Test
  void whatIsCommittedAfterAFailoverOutdoesWhatWasLostByIt() {
    try (PostgresCluster cluster = PostgresCluster.builder().replicas(1).start();
        TopologyClient reader =
            TopologyClient.builder(snapshots.reader()).ttl(Duration.ofMillis(1)).build()) {
      PostgresNode standby = cluster.replica(1);
      Stamp lost = loseSomething(cluster.primary(), standby);
      assertThat(reader.get("acme").stamp()).isEqualTo(lost);

      PostgresNode primary = cluster.failover(standby);
      try (HikariDataSource pool = CoordinatorProcess.pool(primary.url());
          DurableStore store = DurableStore.postgres(pool).open();
          TopologyCoordinator after = topology(store)) {
        UpdateResult first = after.update("acme", now -> now.add(Member.active("after")));

        assertThat(first.published()).isTrue();
        assertThat(first.stamp().isNewerThan(lost)).isTrue();
        await().untilAsserted(() -> assertThat(ids(reader)).containsExactly("kept", "after"));
        await().until(() -> after.backlog().isEmpty());
        assertThat(shards.of("kept")).isEqualTo(new Limits(1));
        assertThat(shards.of("after")).isEqualTo(new Limits(1));
      }
    }
  }

  /** Three changes that the standby never hears of; the last stamp of them. */
  private Stamp loseSomething(PostgresNode primary, PostgresNode standby) {
    try (HikariDataSource pool = CoordinatorProcess.pool(primary.url());
        DurableStore store = DurableStore.postgres(pool).open();
        TopologyCoordinator before = topology(store)) {
      before.update("acme", now -> now.add(Member.active("kept")).set(limits, new Limits(1)));
      await().until(() -> before.backlog().isEmpty());
      standby.awaitCaughtUp();
      standby.detach();
      before.update("acme", now -> now.add(Member.active("lost")));
      before.update("acme", now -> now.set(limits, new Limits(2)));
      UpdateResult last = before.update("acme", now -> now.drain("kept"));
      await().until(() -> before.backlog().isEmpty());
      return last.stamp();
    }
  }

  private static List<String> ids(TopologyClient reader) {
    GroupSnapshot now = reader.get("acme");
    return now.members().stream().map(Member::id).toList();
  }
}
