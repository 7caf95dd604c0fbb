package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody writes and thinks before the commit: how long the reads of others are held up by it. */
class NudgeTest {
  private static final Duration PROBE = Duration.ofMillis(400);
  private static final int TRIES = 10;

  private static PostgresCluster cluster;

  private int rows;

  @BeforeAll
  static void start() throws SQLException {
    cluster =
        PostgresCluster.builder()
            .replicas(1)
            .setting("synchronous_commit", "on")
            .setting("wal_writer_delay", "10s")
            .setting("autovacuum", "off")
            .start();
    onPrimary("CREATE TABLE notes (id int)");
    onPrimary("CREATE ROLE clerk LOGIN; GRANT ALL ON notes TO clerk");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    onPrimary("TRUNCATE notes");
    cluster.synchronousStandbys(0);
    cluster.awaitCaughtUp();
  }

  private static void onPrimary(String sql) throws SQLException {
    try (Connection connection = cluster.primary().connect()) {
      Jdbc.execute(connection, sql);
    }
  }

  private static RecordedDataSource open(Nudge nudge) throws SQLException {
    return RecordedDataSource.open(
        WaymarkDataSource.builder()
            .user("clerk")
            .primary(cluster.primary().proxyUrl())
            .replica(cluster.replica(1).proxyUrl()),
        b -> b.routing(r -> r.probe(PROBE).nudge(nudge)));
  }

  /** Writes, lets the other session write and not commit, and reads. */
  private String readBeside(RecordedDataSource source, Connection beside) throws SQLException {
    rows++;
    source.write("INSERT INTO notes VALUES (" + rows + ")");
    Jdbc.execute(beside, "INSERT INTO notes VALUES (-1)");
    return read(source);
  }

  private String read(RecordedDataSource source) throws SQLException {
    assertThat(source.read("SELECT count(*) FROM notes WHERE id > 0"))
        .isEqualTo(String.valueOf(rows));
    return source.lastReason();
  }

  @Test
  void withoutItReadsGoToThePrimaryUntilSomebodyCommits() throws Exception {
    try (RecordedDataSource source = open(Nudge.OFF);
        Connection beside = cluster.primary().connect()) {
      beside.setAutoCommit(false);
      for (int attempt = 1; attempt <= TRIES; attempt++) {
        boolean held = readBeside(source, beside).equals("fallback:behind");
        long until = System.nanoTime() + PROBE.multipliedBy(4).toNanos();
        while (held && System.nanoTime() < until) {
          held = read(source).equals("fallback:behind");
          Thread.sleep(20);
        }
        if (held) {
          beside.commit();
          await().until(() -> read(source).startsWith("auto:"));
          return;
        }
      }
      throw new AssertionError("the log was always flushed from beside");
    }
  }

  @Test
  void withItReplicasServeAgainWithinAProbeInterval() throws SQLException {
    try (RecordedDataSource source = open(Nudge.ON);
        Connection beside = cluster.primary().connect()) {
      beside.setAutoCommit(false);
      int held = 0;
      for (int attempt = 1; attempt <= TRIES; attempt++) {
        long started = System.nanoTime();
        if (readBeside(source, beside).equals("fallback:behind")) {
          held++;
        }
        await().atMost(Duration.ofSeconds(5)).until(() -> read(source).startsWith("auto:"));
        // The interval is spread by a tenth, and then the log must still travel.
        assertThat(Duration.ofNanos(System.nanoTime() - started))
            .isLessThan(PROBE.multipliedBy(11).dividedBy(10).plusMillis(250));
      }
      assertThat(held).as("how often a read met unflushed log").isPositive();
      beside.rollback();
    }
  }

  @Test
  void nothingIsWrittenWhereNothingWaits() throws SQLException {
    try (RecordedDataSource source = open(Nudge.ON);
        Connection other = cluster.primary().connect();
        Connection beside = cluster.primary().connect()) {
      source.write("INSERT INTO notes VALUES (0)");
      source.read("SELECT 1");
      beside.setAutoCommit(false);
      Jdbc.execute(beside, "INSERT INTO notes VALUES (-1)");
      String before = Jdbc.one(other, "SELECT pg_snapshot_xmax(pg_current_snapshot())");

      long probed = cluster.primary().roundTrips();
      await().until(() -> cluster.primary().roundTrips() >= probed + 3);

      assertThat(Jdbc.one(other, "SELECT pg_snapshot_xmax(pg_current_snapshot())"))
          .isEqualTo(before);
      beside.rollback();
    }
  }

  @Test
  void aNudgeWaitsForNoStandby() throws SQLException {
    try (RecordedDataSource source = open(Nudge.ON);
        Connection beside = cluster.primary().connect()) {
      PostgresNode replica = cluster.replica(1);
      source.read("SELECT 1");
      beside.setAutoCommit(false);
      rows++;
      source.write("INSERT INTO notes VALUES (" + rows + ")");
      cluster.synchronousStandbys(1, replica);
      replica.freeze();
      try {
        Jdbc.execute(beside, "INSERT INTO notes VALUES (-1)");
        String flushed = Jdbc.one(beside, "SELECT pg_current_wal_insert_lsn()");
        read(source);
        await()
            .atMost(Duration.ofSeconds(5))
            .until(
                () ->
                    Jdbc.one(beside, "SELECT pg_current_wal_flush_lsn() >= '" + flushed + "'")
                        .equals("t"));
        assertThat(source.status("primary").circuit()).isEqualTo("closed");
      } finally {
        replica.thaw();
        beside.rollback();
      }
    }
  }
}
