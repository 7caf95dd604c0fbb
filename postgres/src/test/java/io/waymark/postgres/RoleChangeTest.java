package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A primary that is none any more keeps no connections for writes. */
class RoleChangeTest {
  private static PostgresCluster cluster;

  @BeforeAll
  static void start() throws SQLException {
    cluster = PostgresCluster.builder().replicas(1).start();
    try (Connection connection = cluster.primary().connect()) {
      Jdbc.execute(connection, "CREATE TABLE notes (id int)");
    }
    cluster.awaitCaughtUp();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Probes so rarely that whatever is noticed was asked for. */
  private static RecordedDataSource open() throws SQLException {
    return RecordedDataSource.open(
        WaymarkDataSource.builder()
            .user("postgres")
            .primary(cluster.node("primary").proxyUrl())
            .replica(cluster.replica(1).proxyUrl()),
        b -> b.acquireTimeout("2s").routing(r -> r.probe("1m")));
  }

  private static void refused(RecordedDataSource source, int code, String words) {
    assertThatThrownBy(() -> source.write("INSERT INTO notes VALUES (1)"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(code))
        .hasMessageContaining(words);
  }

  private static String backend(RecordedDataSource source) throws SQLException {
    try (Connection connection = source.writer()) {
      return Jdbc.backend(connection);
    }
  }

  @Test
  void aWriteThatIsRefusedThoughNothingWasDeclaredMakesThePoolStartOver() throws SQLException {
    PostgresNode primary = cluster.node("primary");
    try (RecordedDataSource source = open()) {
      String before = backend(source);
      assertThat(backend(source)).isEqualTo(before);
      primary.setting("default_transaction_read_only", "on");
      try {
        long trips = primary.roundTrips();
        refused(source, 1840, "refused a write");
        // The refused statement, the setup of nothing, and a probe that nobody waited a minute for.
        await().until(() -> primary.roundTrips() >= trips + 2);
      } finally {
        primary.setting("default_transaction_read_only", "off");
      }
      assertThat(backend(source)).isNotEqualTo(before);
      source.write("INSERT INTO notes VALUES (1)");
    }
  }

  @Test
  void aWriteThatWasDeclaredReadOnlyDoesNot() throws SQLException {
    try (RecordedDataSource source = open()) {
      String before = backend(source);
      try (Connection connection =
          source.db().using(io.waymark.core.Role.PRIMARY).getConnection()) {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        assertThatThrownBy(() -> Jdbc.execute(connection, "INSERT INTO notes VALUES (1)"))
            .isInstanceOf(SQLException.class);
        connection.rollback();
      }
      try (Connection connection = source.writer()) {
        Jdbc.execute(connection, "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
        assertThatThrownBy(() -> Jdbc.execute(connection, "INSERT INTO notes VALUES (1)"))
            .isInstanceOf(SQLException.class);
        Jdbc.execute(connection, "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE");
      }
      assertThat(backend(source)).isEqualTo(before);
    }
  }

  @Test
  void aPrimaryThatWasSwitchedOverKeepsNoConnectionsForWrites() throws SQLException {
    PostgresNode old = cluster.node("primary");
    PostgresNode next = cluster.replica(1);
    try (RecordedDataSource source = open()) {
      source.write("INSERT INTO notes VALUES (1)");
      cluster.switchover(next);
      try {
        // The probes have not noticed yet: the first write that gets a connection finds a standby.
        await().until(() -> errorOfAWrite(source) == 1840);
        await()
            .until(
                () ->
                    source.status("primary").seen().orElseThrow() == io.waymark.core.Role.REPLICA);

        refused(source, 1849, "is a standby");

        await().until(() -> sessions(old).equals("1")); // the monitor's
      } finally {
        cluster.switchover(old);
      }
      await()
          .ignoreExceptions()
          .until(
              () -> {
                source.write("INSERT INTO notes VALUES (2)");
                return true;
              });
    }
  }

  private static int errorOfAWrite(RecordedDataSource source) {
    try {
      source.write("INSERT INTO notes VALUES (1)");
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private static String sessions(PostgresNode node) throws SQLException {
    try (Connection connection = node.connect()) {
      return Jdbc.one(
          connection,
          "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
              + " AND pid <> pg_backend_pid()");
    }
  }
}
