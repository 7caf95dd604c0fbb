package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.Direction;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The connection breaks somewhere in the answer to a commit. What the caller is told is never
 * wrong, and where the transaction's id had arrived it is more than "unknown".
 */
class CommitOutcomeTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final int LONGEST_ANSWER = 480;
  private static final int STEP = 12;

  @BeforeEach
  void empty() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
  }

  private static String committing(Connection connection, int bytes) {
    cluster.primary().proxy().cutAfter(Direction.TO_CLIENT, bytes);
    try {
      connection.commit();
      return "committed";
    } catch (SQLException e) {
      return e.getSQLState();
    } finally {
      cluster.primary().proxy().cancelCut();
    }
  }

  private static String onPrimary(String sql) throws SQLException {
    try (Connection connection = cluster.primary().connect()) {
      return Jdbc.one(connection, sql);
    }
  }

  @Test
  void aCommitWhoseAnswerIsCutIsNeverCalledFailed() throws SQLException {
    Map<String, Integer> outcomes = new TreeMap<>();
    try (RecordedDataSource source = cluster.openQuiet()) {
      source.read("SELECT 1");
      cluster.pauseReplay();
      for (int bytes = 0; bytes < LONGEST_ANSWER; bytes += STEP) {
        try (CausalSession own = source.db().session();
            Connection connection = source.writer()) {
          assertThat(own).isNotNull();
          connection.setAutoCommit(false);
          Jdbc.execute(connection, "INSERT INTO notes VALUES (" + bytes + ", 'own')");
          String backend = Jdbc.backend(connection);

          String outcome = committing(connection, bytes);

          String row = "SELECT id FROM notes WHERE id = " + bytes;
          assertThat(onPrimary(row)).isEqualTo(String.valueOf(bytes));
          assertThat(outcome).as("after %d bytes", bytes).isIn("committed", "08007");
          if (outcome.equals("committed")) {
            boolean proven = !Jdbc.backend(connection).equals(backend);
            outcome = proven ? "proven" : "answered";
            connection.commit();
          }
          assertThat(source.read(row)).as("replicas stand still").isEqualTo(String.valueOf(bytes));
          outcomes.merge(outcome, 1, Integer::sum);
        }
      }
    }
    System.out.println("cut answers to commits: " + outcomes);
    assertThat(outcomes).containsKeys("08007", "proven", "answered");
  }

  @Test
  void aRefusedCommitWhoseAnswerIsCutIsNeverCalledCommitted() throws SQLException {
    Map<String, Integer> outcomes = new TreeMap<>();
    try (RecordedDataSource source = cluster.openQuiet()) {
      for (int bytes = 0; bytes < LONGEST_ANSWER; bytes += STEP) {
        try (Connection connection = source.writer()) {
          connection.setAutoCommit(false);
          Jdbc.execute(connection, "INSERT INTO children VALUES (" + bytes + ", 99)");

          String outcome = committing(connection, bytes);

          assertThat(onPrimary("SELECT count(*) FROM children")).isEqualTo("0");
          assertThat(outcome).as("after %d bytes", bytes).isIn("08007", "40000", "23503");
          if (outcome.equals("40000")) {
            connection.rollback(); // as callers do; there is nothing to undo any more
            assertThat(Jdbc.one(connection, "SELECT count(*) FROM children")).isEqualTo("0");
            connection.commit();
          }
          outcomes.merge(outcome, 1, Integer::sum);
        }
      }
    }
    System.out.println("cut answers to refused commits: " + outcomes);
    assertThat(outcomes).containsKeys("08007", "40000", "23503");
  }

  @Test
  void onlyWhatTheServerSaysOfThisVeryTransactionCounts() throws Exception {
    DataSourceRuntime runtime =
        new DataSourceRuntime(
            cluster.builder().routing(r -> r.probe("300ms")).config(), new org.postgresql.Driver());
    try (runtime;
        Connection beside = cluster.primary().connect()) {
      runtime.open();
      Endpoint primary = runtime.endpoints().get(0);
      Object session = Objects.requireNonNull(primary.monitor().session());
      beside.setAutoCommit(false);
      long running = Long.parseUnsignedLong(Jdbc.one(beside, "SELECT pg_current_xact_id()"));

      assertThat(runtime.fate(primary, running, session)).isEqualTo(Fate.UNKNOWN);

      long asked = cluster.primary().roundTrips();
      CompletableFuture<Fate> waiting =
          CompletableFuture.supplyAsync(() -> runtime.fate(primary, running, session));
      await().until(() -> cluster.primary().roundTrips() > asked);
      beside.commit();
      assertThat(waiting.get()).isEqualTo(Fate.COMMITTED);
      assertThat(runtime.fate(primary, running, session)).isEqualTo(Fate.COMMITTED);
      assertThat(runtime.fate(primary, running, new Object()))
          .as("asked over a later connection: it may be another transaction")
          .isEqualTo(Fate.UNKNOWN);

      long undone = Long.parseUnsignedLong(Jdbc.one(beside, "SELECT pg_current_xact_id()"));
      beside.rollback();
      assertThat(runtime.fate(primary, undone, session)).isEqualTo(Fate.ABORTED);
      assertThat(runtime.fate(primary, undone + 1_000_000, session)).isEqualTo(Fate.UNKNOWN);

      cluster.primary().proxy().blackHole();
      try {
        assertThat(runtime.fate(primary, running, session)).isEqualTo(Fate.UNKNOWN);
      } finally {
        cluster.primary().proxy().resume();
      }
    }
    assertThat(runtime.isClosed()).isTrue();
  }
}
