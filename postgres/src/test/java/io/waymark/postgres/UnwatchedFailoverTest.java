package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.TcpProxy;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A failover that no monitor watched: the primary's address leads to a server that was promoted and
 * restarted before it was seen.
 */
class UnwatchedFailoverTest {
  private static final String ROWS = "SELECT count(*) FROM notes";

  private PostgresCluster cluster;
  private TcpProxy address;
  private final List<EndpointEvent> events = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws SQLException {
    cluster = PostgresCluster.builder().replicas(2).start();
    cluster.createRole("follower", "REPLICATION", "IN ROLE pg_monitor");
    cluster.createRole("clerk", "IN ROLE pg_monitor");
    try (Connection connection = cluster.primary().connect()) {
      Jdbc.execute(
          connection, "CREATE TABLE notes (id int); GRANT ALL ON notes TO follower, clerk");
    }
    cluster.awaitCaughtUp();
    address = TcpProxy.to("127.0.0.1", cluster.primary().port());
  }

  @AfterEach
  void stop() {
    address.close();
    cluster.close();
  }

  private RecordedDataSource open(String role) throws SQLException {
    return RecordedDataSource.open(
        WaymarkDataSource.builder()
            .user(role)
            .primary("jdbc:postgresql://127.0.0.1:" + address.port() + "/postgres")
            .replica(cluster.replica(2).proxyUrl()),
        b -> b.onChange(events::add).routing(r -> r.probe("200ms")));
  }

  private void write(RecordedDataSource source) throws SQLException {
    try (Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1)");
      connection.commit();
    }
  }

  /** The data source sees the new primary for the first time when it has been restarted. */
  private void failOver(RecordedDataSource source) {
    PostgresNode old = cluster.primary();
    PostgresNode next = cluster.replica(1);
    address.refuse();
    address.reset();
    cluster.failover(next);
    assertThat(old.isRunning()).isFalse();
    next.restart();
    cluster.node("replica-2").awaitStreaming(next).awaitCaughtUp();
    address.target("127.0.0.1", next.port());
    address.accept();
    await().until(() -> source.status("primary").timeline() == 2);
    await().until(() -> source.status("replica-1").timeline() == 2);
  }

  @Test
  void aRoleThatMayReplicateLearnsThatTheWriteSurvived() throws SQLException {
    try (RecordedDataSource source = open("follower")) {
      write(source);
      cluster.awaitCaughtUp();
      failOver(source);

      await()
          .untilAsserted(
              () -> {
                assertThat(source.read(ROWS)).isEqualTo("1");
                assertThat(source.lastReason()).isEqualTo("auto:replica-1");
              });
      assertThat(events).noneMatch(EndpointEvent.HistoryLost.class::isInstance);
    }
  }

  @Test
  void anotherRoleReadsThePrimaryAndDoesNotFillTheServersLog() throws SQLException {
    try (RecordedDataSource source = open("clerk")) {
      write(source);
      cluster.awaitCaughtUp();
      failOver(source);

      for (int i = 0; i < 10; i++) {
        assertThat(source.read(ROWS)).isEqualTo("1");
        assertThat(source.lastReason()).isEqualTo("fallback:behind");
      }
      assertThat(cluster.primary().log()).doesNotContain("start WAL sender");

      write(source);
      await()
          .untilAsserted(
              () -> {
                assertThat(source.read(ROWS)).isEqualTo("2");
                assertThat(source.lastReason()).isEqualTo("auto:replica-1");
              });
    }
  }

  @Test
  void aRoleThatMayReplicateLearnsThatTheWriteIsLost() throws SQLException {
    try (RecordedDataSource source = open("follower")) {
      cluster.replicas().forEach(PostgresNode::detach);
      write(source);
      failOver(source);

      await()
          .untilAsserted(
              () -> {
                assertThat(source.read(ROWS)).isEqualTo("0");
                assertThat(source.lastReason()).isEqualTo("auto:replica-1");
              });
      assertThat(events).filteredOn(EndpointEvent.HistoryLost.class::isInstance).hasSize(1);
    }
  }

  @Test
  void theHistoryIsAskedForOnce() throws SQLException {
    try (RecordedDataSource source = open("follower")) {
      write(source);
      cluster.awaitCaughtUp();
      failOver(source);
      await().until(() -> readsAReplica(source));
      long opened = address.connectionsOpened();

      cluster.node("replica-2").pauseReplay();
      for (int i = 0; i < 20; i++) {
        source.read(ROWS);
      }

      assertThat(address.connectionsOpened()).isEqualTo(opened);
    }
  }

  private static boolean readsAReplica(RecordedDataSource source) throws SQLException {
    source.read(ROWS);
    return source.lastReason().equals("auto:replica-1");
  }
}
