package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.testing.Direction;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.core.BaseConnection;

/** A commit that tells where it stands costs nothing more, and never lies about what happened. */
class CommitProtocolTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final String ROWS = "SELECT count(*) FROM notes";

  @BeforeEach
  void empty() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
  }

  private static RecordedDataSource open(String parameters) throws SQLException {
    WaymarkDataSourceBuilder builder =
        WaymarkDataSource.builder()
            .user("postgres")
            .primary(cluster.primary().proxyUrl() + parameters);
    cluster.replicas().forEach(node -> builder.replica(node.proxyUrl() + parameters));
    return RecordedDataSource.open(builder, b -> b.routing(r -> r.probe("1m")));
  }

  // ---- what it costs

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?preferQueryMode=simple",
        "?preferQueryMode=extended",
        "?preferQueryMode=extendedForPrepared",
        "?preferQueryMode=extendedCacheEverything",
        "?autosave=always",
        "?autosave=conservative",
        "?defaultRowFetchSize=1",
      })
  void aCommittedWriteCostsNoMoreRoundTripsThanTheDriversOwn(String parameters)
      throws SQLException {
    long plain;
    try (Connection connection =
        DriverManager.getConnection(cluster.primary().proxyUrl() + parameters, "postgres", "")) {
      plain = tripsOfTransactions(connection, 100);
    }
    long routed;
    try (RecordedDataSource source = open(parameters);
        Connection connection = source.writer()) {
      routed = tripsOfTransactions(connection, 200);
      cluster.pauseReplay();
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'own')");
      connection.commit();
      assertThat(source.read(ROWS)).isEqualTo("12");
      assertThat(source.lastReason()).isEqualTo("fallback:behind");
    }

    assertThat(routed).isEqualTo(plain);
  }

  private static long tripsOfTransactions(Connection connection, int firstId) throws SQLException {
    connection.setAutoCommit(false);
    Jdbc.execute(connection, "TRUNCATE notes");
    connection.commit();
    long before = cluster.primary().roundTrips();
    for (int i = 0; i < 10; i++) {
      Jdbc.execute(connection, "INSERT INTO notes VALUES (" + (firstId + i) + ", 'own')");
      Savepoint here = connection.setSavepoint("here");
      Jdbc.one(connection, ROWS);
      connection.releaseSavepoint(here);
      connection.commit();
    }
    Savepoint none;
    Jdbc.execute(connection, "INSERT INTO notes VALUES (" + (firstId + 10) + ", 'own')");
    none = connection.setSavepoint();
    Jdbc.execute(connection, "DELETE FROM notes");
    connection.rollback(none);
    connection.commit();
    return cluster.primary().roundTrips() - before;
  }

  @ParameterizedTest
  @CsvSource({"'', 2", "?prepareThreshold=1, 2", "?prepareThreshold=0, 0"})
  void theServerPreparesACommitOncePerConnectionUnlessItShallPrepareNothing(
      String parameters, String prepared) throws SQLException {
    try (RecordedDataSource source = open(parameters);
        Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < 4; i++) {
        Jdbc.execute(connection, "INSERT INTO notes VALUES (" + i + ", 'own')");
        connection.commit();
      }

      assertThat(
              Jdbc.one(
                  connection,
                  "SELECT count(*) FROM pg_prepared_statements"
                      + " WHERE trim(statement) LIKE 'SELECT pg_catalog.pg_current_%'"))
          .isEqualTo(prepared);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DISCARD ALL", "DEALLOCATE ALL"})
  void aSessionThatForgetsWhatWasPreparedStillCommits(String forgetting) throws SQLException {
    try (RecordedDataSource source = open("");
        Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'own')");
      connection.commit();
      connection.setAutoCommit(true);
      Jdbc.execute(connection, forgetting);
      connection.setAutoCommit(false);

      Jdbc.execute(connection, "INSERT INTO notes VALUES (2, 'own')");
      connection.commit();

      assertThat(source.read(ROWS)).isEqualTo("2");
    }
  }

  @Test
  void anEmptyTransactionSendsNothing() throws SQLException {
    try (RecordedDataSource source = open("");
        Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      connection.commit();
      Jdbc.one(connection, "SELECT 1");
      connection.commit();
      long before = cluster.roundTrips();

      connection.commit();
      connection.setAutoCommit(true);

      assertThat(cluster.roundTrips()).isEqualTo(before);
    }
  }

  @Test
  void anAutocommitWriteThatNobodyReadsCostsOneRoundTrip() throws SQLException {
    try (RecordedDataSource source = open("");
        Connection connection = source.writer()) {
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'own')");
      long before = cluster.roundTrips();

      for (int i = 2; i < 12; i++) {
        Jdbc.execute(connection, "INSERT INTO notes VALUES (" + i + ", 'own')");
      }

      assertThat(cluster.roundTrips() - before).isEqualTo(10);
    }
  }

  // ---- what it says

  private static PhysicalConnection physical(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    ServerQueries.Introduction introduction = ServerQueries.introduce(connection);
    connection.commit();
    return new PhysicalConnection(connection.unwrap(BaseConnection.class), introduction, 0, false);
  }

  @Test
  void aTransactionThatWroteNothingSaysSo() throws SQLException {
    try (Connection connection = cluster.primary().connect()) {
      PhysicalConnection physical = physical(connection);
      Jdbc.one(connection, ROWS);

      assertThat(CommitProtocol.commit(physical))
          .isInstanceOf(CommitProtocol.Committed.Nothing.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "local", "off"})
  void theTransactionAndItsPositionAreTheServersOwn(String synchronousCommit) throws SQLException {
    try (Connection connection = cluster.primary().connect();
        Connection beside = cluster.primary().connect()) {
      PhysicalConnection physical = physical(connection);
      for (int i = 0; i < 20; i++) {
        Jdbc.execute(connection, "SET LOCAL synchronous_commit = " + synchronousCommit);
        Jdbc.execute(connection, "INSERT INTO notes VALUES (" + i + ", 'own')");
        String xid = Jdbc.one(connection, "SELECT pg_current_xact_id()");
        long before = Lsn.parse(Jdbc.one(connection, "SELECT pg_current_wal_insert_lsn()"));

        CommitProtocol.Committed committed = CommitProtocol.commit(physical);

        assertThat(committed).isInstanceOf(CommitProtocol.Committed.At.class);
        CommitProtocol.Committed.At at = (CommitProtocol.Committed.At) committed;
        assertThat(Long.toUnsignedString(at.xid())).isEqualTo(xid);
        assertThat(Jdbc.one(beside, "SELECT pg_xact_status('" + xid + "')")).isEqualTo("committed");
        assertThat(at.lsn()).as("behind everything before the commit").isGreaterThan(before);
        long insert = Lsn.parse(Jdbc.one(beside, "SELECT pg_current_wal_insert_lsn()"));
        assertThat(at.lsn()).isLessThanOrEqualTo(insert);
        cluster.replica(1).awaitCaughtUp();
        assertThat(Lsn.reached(Lsn.parse(cluster.replica(1).walPosition().toString()), at.lsn()))
            .isTrue();
      }
    }
  }

  @Test
  void aDeniedPositionAfterTheCommitIsStillACommit() throws SQLException {
    try (Connection connection = cluster.primary().connect("clerk", "")) {
      PhysicalConnection physical = physical(connection);
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'own')");
      cluster.onPrimary("REVOKE EXECUTE ON FUNCTION pg_current_wal_flush_lsn() FROM public");
      try {
        assertThat(CommitProtocol.commit(physical))
            .isInstanceOf(CommitProtocol.Committed.Somewhere.class);
      } finally {
        cluster.onPrimary("GRANT EXECUTE ON FUNCTION pg_current_wal_flush_lsn() TO public");
      }
      assertThat(Jdbc.one(connection, ROWS)).isEqualTo("1");
    }
  }

  @Test
  void aChangedRoleThatMayNotReadPositionsStillCommits() throws SQLException {
    cluster.onPrimary("REVOKE EXECUTE ON FUNCTION pg_current_wal_flush_lsn() FROM public");
    try (RecordedDataSource source = open("");
        Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "SET ROLE clerk");
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'own')");
      cluster.pauseReplay();

      connection.commit();

      assertThat(source.read(ROWS)).isEqualTo("1");
      Jdbc.execute(connection, "RESET ROLE");
      connection.commit();
    } finally {
      cluster.onPrimary("GRANT EXECUTE ON FUNCTION pg_current_wal_flush_lsn() TO public");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TO_SERVER", "TO_CLIENT"})
  void aConnectionCutDuringTheCommitLeavesItUnknown(Direction lost) throws SQLException {
    try (RecordedDataSource source = open("")) {
      source.read("SELECT 1");
      cluster.pauseReplay();
      try (Connection connection = source.writer()) {
        connection.setAutoCommit(false);
        Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'own')");
        cluster.primary().proxy().cutAfter(lost, 0);

        assertThatThrownBy(connection::commit)
            .isInstanceOfSatisfying(
                SQLException.class,
                e -> {
                  assertThat(e.getErrorCode()).isEqualTo(1847);
                  assertThat(e.getSQLState()).isEqualTo("08007");
                });
      }
      // The session may have written: no read believes a replica that stands still.
      assertThat(source.read(ROWS)).isEqualTo(lost == Direction.TO_CLIENT ? "1" : "0");
      assertThat(source.lastEvent().endpoint()).isEqualTo("primary");
    }
  }

  @Test
  void aReadOnlyTransactionWhoseConnectionIsCutIsNoUnknownCommit() throws SQLException {
    try (RecordedDataSource source = open("");
        Connection connection = source.reader()) {
      connection.setAutoCommit(false);
      Jdbc.one(connection, "SELECT 1");
      cluster.replicas().forEach(node -> node.proxy().cutAfter(Direction.TO_CLIENT, 0));

      assertThatThrownBy(connection::commit)
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getErrorCode()).isNotEqualTo(1847);
                assertThat(e.getSQLState()).startsWith("08");
              });
    }
  }

  // ---- where nobody needs a position

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withoutAWatermarkNobodyAsksForAPosition(boolean replicas) throws SQLException {
    WaymarkDataSourceBuilder builder =
        replicas
            ? cluster.builder().routing(r -> r.consistency(Consistency.EVENTUAL))
            : WaymarkDataSource.builder().user("postgres").primary(cluster.primary().proxyUrl());
    try (RecordedDataSource source =
            RecordedDataSource.open(builder, b -> b.routing(r -> r.probe("1m")));
        Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'own')");
      String pid = Jdbc.one(connection, "SELECT pg_backend_pid()");
      connection.commit();
      assertThat(lastTextOf(pid)).isEqualTo("COMMIT");

      connection.setAutoCommit(true);
      source.read("SELECT 1");
      long before = cluster.primary().roundTrips();
      Jdbc.execute(connection, "INSERT INTO notes VALUES (2, 'own')");
      source.read("SELECT 1");
      long reads = source.lastEvent().endpoint().equals("primary") ? 1 : 0;
      assertThat(cluster.primary().roundTrips() - before).isEqualTo(1 + reads);
    }
  }

  private static String lastTextOf(String pid) throws SQLException {
    try (Connection beside = cluster.primary().connect()) {
      return Jdbc.one(beside, "SELECT query FROM pg_stat_activity WHERE pid = " + pid);
    }
  }
}
