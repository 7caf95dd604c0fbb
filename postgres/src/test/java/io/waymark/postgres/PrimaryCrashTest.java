package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The primary crashes and comes back with the log that had reached the disk. What was durable is
 * still read by who wrote it, and what was not is waited for no longer.
 */
class PrimaryCrashTest {
  private static final String ROWS = "SELECT count(*) FROM notes";

  /** Less than what fits into the server's log buffers, and more than a start writes. */
  private static final String MUCH =
      "SELECT pg_logical_emit_message(true, 'test', repeat('x', 200000))";

  private PostgresCluster cluster;
  private PostgresNode primary;
  private PostgresNode replica;
  private RecordedDataSource source;

  @BeforeEach
  void start() throws SQLException {
    cluster =
        PostgresCluster.builder()
            .replicas(1)
            .setting("synchronous_commit", "on")
            .setting("wal_writer_delay", "10s")
            .setting("autovacuum", "off")
            .start();
    primary = cluster.primary();
    replica = cluster.replica(1);
    try (Connection connection = primary.connect()) {
      Jdbc.execute(connection, "CREATE TABLE notes (id int)");
    }
    replica.awaitCaughtUp();
    source =
        RecordedDataSource.open(
            WaymarkDataSource.builder()
                .user("postgres")
                .primary(primary.proxyUrl())
                .replica(replica.proxyUrl()),
            b -> b.routing(r -> r.probe("200ms")));
  }

  @AfterEach
  void stop() {
    source.close();
    cluster.close();
  }

  private void transaction(String... statements) throws SQLException {
    try (Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      for (String sql : statements) {
        Jdbc.execute(connection, sql);
      }
      connection.commit();
    }
  }

  private void crash() throws SQLException {
    String before;
    try (Connection connection = primary.connect()) {
      before = Jdbc.one(connection, "SELECT pg_current_wal_flush_lsn()");
    }
    primary.kill().start();
    try (Connection connection = primary.connect()) {
      String recovered = Jdbc.one(connection, "SELECT pg_last_wal_replay_lsn()");
      assertThat(Lsn.reached(Lsn.parse(recovered), Lsn.parse(before))).isTrue();
      await() // until the data source has seen it
          .until(
              () ->
                  source
                      .status("primary")
                      .position()
                      .filter(seen -> isAt(seen, recovered))
                      .isPresent());
    }
  }

  /** Behind the recovered log, where nothing was seen before, and not where the lost log ended. */
  private static boolean isAt(String seen, String recovered) {
    long distance = Lsn.parse(seen) - Lsn.parse(recovered);
    return distance > 0 && distance < 100_000;
  }

  @Test
  void aLostWriteIsWaitedForNoLonger() throws SQLException {
    transaction("SET LOCAL synchronous_commit = off", "INSERT INTO notes VALUES (1)", MUCH);
    assertThat(source.read(ROWS)).isEqualTo("1");
    assertThat(source.lastReason()).isEqualTo("fallback:behind");

    crash();

    replica.awaitStreaming(primary);
    await()
        .until(
            () -> {
              assertThat(source.read(ROWS)).as("lost with the crash").isEqualTo("0");
              return source.lastReason().startsWith("auto:");
            });
  }

  @Test
  void aDurableWriteIsStillWaitedFor() throws SQLException {
    replica.pauseReplay();
    transaction("INSERT INTO notes VALUES (1)");

    crash();

    assertThat(source.read(ROWS)).isEqualTo("1");
    assertThat(source.lastReason()).isEqualTo("fallback:behind");
    replica.resumeReplay();
    awaitServedByTheReplica();
  }

  @Test
  void aDurableWriteIsStillWaitedForWhereItsTokenWasNotDurable() throws SQLException {
    try (Connection beside = primary.connect()) {
      beside.setAutoCommit(false);
      replica.pauseReplay();
      source.write("INSERT INTO notes VALUES (1)");
      Jdbc.execute(beside, MUCH);
      // The position of this session's autocommit write is read now, behind the other's log.
      assertThat(source.read(ROWS)).isEqualTo("1");

      crash();
    }

    assertThat(source.read(ROWS)).isEqualTo("1");
    assertThat(source.lastReason()).isEqualTo("fallback:behind");
    replica.resumeReplay();
    awaitServedByTheReplica();
  }

  @Test
  void whatIsWrittenAfterTheCrashIsWaitedFor() throws SQLException {
    transaction("SET LOCAL synchronous_commit = off", "INSERT INTO notes VALUES (1)", MUCH);

    crash();

    replica.awaitStreaming(primary);
    replica.pauseReplay();
    transaction("INSERT INTO notes VALUES (2)");
    assertThat(source.read(ROWS)).isEqualTo("1");
    assertThat(source.lastReason()).isEqualTo("fallback:behind");
    replica.resumeReplay();
    awaitServedByTheReplica();
  }

  @Test
  void aRestartInOrderLosesNothing() throws SQLException {
    transaction("SET LOCAL synchronous_commit = off", "INSERT INTO notes VALUES (1)", MUCH);

    primary.restart();
    replica.awaitStreaming(primary);
    await().until(() -> source.status("primary").circuit().equals("closed"));

    awaitServedByTheReplica();
  }

  private void awaitServedByTheReplica() {
    await()
        .until(
            () -> {
              assertThat(source.read(ROWS)).isEqualTo("1");
              return source.lastReason().startsWith("auto:");
            });
  }
}
