package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Role;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What users of other routers between a primary and its replicas have met. The list with all of it,
 * also with what other tests hold, is docs/regressions.md.
 */
class PeersRegressionTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private RecordedDataSource source;

  @BeforeEach
  void open() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
    source = cluster.openQuiet();
  }

  @AfterEach
  void close() {
    source.close();
  }

  // ---- which statements are reads

  /** On a standby all of these fail, or succeed and do not do what the caller counts on. */
  @TestFactory
  Stream<DynamicTest> whatOnlyThePrimaryCanDoGoesThereUnlessItIsDeclaredARead()
      throws SQLException {
    cluster.onPrimary("CREATE UNLOGGED TABLE IF NOT EXISTS fleeting (id int)");
    return Stream.of(
            "SELECT nextval('numbers')",
            "SELECT setval('numbers', 5)",
            "SELECT nextval('numbers'), currval('numbers')",
            "SELECT * FROM hidden",
            "SELECT note(1)",
            "WITH n AS (INSERT INTO notes VALUES (2, 'cte') RETURNING id) SELECT * FROM n",
            "WITH n AS (UPDATE notes SET title = 'cte' RETURNING id) SELECT * FROM n",
            "WITH n AS (DELETE FROM notes RETURNING id) SELECT * FROM n",
            "SELECT 1 AS one INTO TEMP chosen_once",
            "CREATE TEMP TABLE mine (id int)",
            "NOTIFY changes",
            "SELECT pg_notify('changes', 'x')",
            "LISTEN changes",
            "SELECT txid_current()",
            "SELECT pg_current_xact_id()",
            "SELECT count(*) FROM fleeting",
            "SELECT pg_current_wal_lsn()",
            "SELECT pg_advisory_xact_lock(78)",
            "SELECT pg_try_advisory_xact_lock(79)",
            "SELECT set_config('work_mem', '5MB', false)",
            "SELECT * FROM notes FOR UPDATE",
            "SELECT * FROM (SELECT * FROM notes FOR SHARE) n",
            "EXPLAIN ANALYZE INSERT INTO notes VALUES (3, 'explained')",
            "SELECT lo_create(0)")
        .map(sql -> DynamicTest.dynamicTest(sql, () -> goesToThePrimary(sql)));
  }

  private void goesToThePrimary(String sql) throws SQLException {
    try (Connection connection = source.writer()) {
      Jdbc.execute(connection, sql);
    }
    assertThat(source.lastEvent().endpoint()).isEqualTo("primary");
  }

  @Test
  void aTransactionThatReadsFirstAndThenWritesIsOneOnThePrimary() throws SQLException {
    try (Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      String reading = Jdbc.backend(connection);
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'after a read')");
      String writing = Jdbc.backend(connection);
      connection.commit();

      assertThat(writing).isEqualTo(reading).startsWith(cluster.primary().port() + "/");
      assertThat(source.events()).hasSize(1);
    }
  }

  @Test
  void aRowThatAnUpdateReturnsIsAWriteWhicheverMethodAsksForIt() throws SQLException {
    source.write("INSERT INTO notes VALUES (1, 'a')");
    cluster.pauseReplay();
    try (Connection connection = source.writer();
        PreparedStatement update =
            connection.prepareStatement("upDATE notes SET title = 'b' RETURNING title");
        ResultSet rows = update.executeQuery()) {
      assertThat(rows.next()).isTrue();
    }

    assertThat(source.read("SELECT title FROM notes")).isEqualTo("b");
    assertThat(source.lastReason()).isEqualTo("fallback:behind");
  }

  // ---- what frameworks do first

  @Test
  void whatAsksForMetadataFirstDecidesNothing() throws SQLException {
    try (Connection connection = source.writer()) {
      assertThat(connection.getMetaData().getURL()).startsWith("jdbc:postgresql:");
      assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("PostgreSQL");
      assertThat(connection.isReadOnly()).isFalse();
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      assertThat(connection.getAutoCommit()).isTrue();

      connection.setReadOnly(true);
      connection.setAutoCommit(false);

      assertThat(connection.isReadOnly()).isTrue();
      assertThat(Jdbc.port(connection)).isNotEqualTo(cluster.primary().port());
      assertThat(source.lastReason()).startsWith("auto:");
      connection.commit();
    }
  }

  @Test
  void metadataThatNeedsAServerDoesNotKeepALaterReadFromTheReplicas() throws SQLException {
    try (Connection connection = source.writer()) {
      assertThat(connection.getMetaData().getDatabaseProductVersion()).isNotEmpty();
      assertThat(source.lastEvent().endpoint()).isEqualTo("primary");

      connection.setReadOnly(true);

      assertThat(connection.isReadOnly()).isTrue();
      assertThat(Jdbc.port(connection)).isNotEqualTo(cluster.primary().port());
    }
  }

  @Test
  void aHighIsolationLevelAndAPlainCursorWorkWhereverTheyAreSent() throws SQLException {
    try (Connection connection = source.reader();
        Statement statement = connection.createStatement()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      statement.execute("DECLARE c CURSOR FOR SELECT generate_series(1, 3)");
      String backend = Jdbc.backend(connection);
      assertThat(Jdbc.one(connection, "FETCH 1 FROM c")).isEqualTo("1");
      assertThat(Jdbc.backend(connection)).isEqualTo(backend);
      statement.execute("CLOSE c");
      connection.commit();
      assertThat(source.events()).hasSize(1);
    }
  }

  // ---- ends that are not in order

  @Test
  void closingWhatIsBrokenThrowsNothingAndLeavesNothingToTheNextCaller() throws SQLException {
    try (RecordedDataSource small = cluster.open(b -> b.max(1).routing(r -> r.probe("1m")))) {
      Connection broken = small.writer();
      broken.setAutoCommit(false);
      PreparedStatement statement = broken.prepareStatement("SELECT generate_series(1, 9)");
      statement.setFetchSize(2);
      ResultSet rows = statement.executeQuery();
      assertThat(rows.next()).isTrue();
      String pid = Jdbc.one(broken, "SELECT pg_backend_pid()");
      cluster.onPrimary("SELECT pg_terminate_backend(" + pid + ")");

      broken.close();

      assertThat(rows.isClosed()).isTrue();
      assertThat(statement.isClosed()).isTrue();
      small.write("INSERT INTO notes VALUES (1, 'next')");
      assertThat(small.status("primary").connections()).isZero();
    }
  }

  @Test
  void aConnectionThatBrokeWhileNobodyUsedItIsReplacedInTheSameCall() throws SQLException {
    Set<String> pids = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      pids.add(source.read("SELECT pg_backend_pid()"));
    }
    for (PostgresNode node : cluster.replicas()) {
      try (Connection beside = node.connect()) {
        Jdbc.one(
            beside,
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid IN ("
                + String.join(",", pids)
                + ")");
      }
    }

    for (int i = 0; i < 10; i++) {
      assertThat(source.read("SELECT 1")).isEqualTo("1");
    }
    assertThat(source.db().endpoints()).extracting(EndpointStatus::connections).containsOnly(0);
  }

  // ---- addresses

  @Test
  void twoServersOnOneHostAreTwo() throws SQLException {
    cluster.replica(1).stop();
    try (RecordedDataSource fresh = cluster.open(b -> b.routing(r -> r.probe("100ms")))) {
      assertThat(List.of(fresh.status("replica-1"), fresh.status("replica-2")))
          .extracting(EndpointStatus::ineligible)
          .extracting(why -> why.orElse("none"))
          .containsExactly("not reached yet", "none");
      for (int i = 0; i < 6; i++) {
        fresh.read("SELECT 1");
        assertThat(fresh.lastEvent().endpoint()).isEqualTo("replica-2");
      }
    }
  }

  // ---- when everything lags

  @Test
  void whenEverythingLagsThePolicyIsTheConfiguredOne() throws SQLException {
    cluster.pauseReplay();
    for (Fallback fallback : Fallback.values()) {
      try (RecordedDataSource lagging =
          cluster.open(b -> b.routing(r -> r.probe("100ms").maxLag("0B").fallback(fallback)))) {
        cluster.onPrimary("INSERT INTO parents SELECT count(*) FROM parents");
        await()
            .atMost(Duration.ofSeconds(5))
            .until(() -> lagging.status("replica-1").lagBytes().orElse(0) > 0);

        if (fallback == Fallback.PRIMARY) {
          assertThat(lagging.read("SELECT count(*) FROM parents")).isEqualTo("1");
          assertThat(lagging.lastReason()).isEqualTo("fallback:behind");
        } else {
          assertThatThrownBy(() -> lagging.read("SELECT count(*) FROM parents"))
              .hasMessageStartingWith("WM1844")
              .hasMessageContaining("(behind)");
          assertThat(lagging.events()).isEmpty();
        }
        assertThatThrownBy(
                () -> {
                  try (Connection forced = lagging.db().using(Role.REPLICA).getConnection()) {
                    Jdbc.one(forced, "SELECT 1");
                  }
                })
            .hasMessageStartingWith("WM1843");
        assertThat(lagging.status("replica-1").circuit())
            .as("late is not dead")
            .isEqualTo("closed");
      }
    }
  }
}
