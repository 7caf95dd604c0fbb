package io.waymark.testing.postgres;

import static io.waymark.testing.postgres.Rows.ask;
import static io.waymark.testing.postgres.Rows.count;
import static io.waymark.testing.postgres.Rows.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.Direction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Levers that leave the cluster as it was; one cluster serves them all. */
class LagLeversTest {

  @RegisterExtension
  static final PostgresClusterExtension POSTGRES =
      PostgresClusterExtension.of(
          PostgresCluster.builder()
              .database("app data")
              .logicalReplication()
              .setting("work_mem", "5MB")
              .role("app", "it's \\secret", "CONNECTION LIMIT 7"));

  private PostgresNode primary;
  private PostgresNode replica;
  private PostgresNode other;

  @BeforeEach
  void freshTable(PostgresCluster cluster) throws SQLException {
    primary = cluster.primary();
    replica = cluster.replica(1);
    other = cluster.replica(2);
    run(primary, "DROP TABLE IF EXISTS t", "CREATE TABLE t (id int)");
    cluster.awaitCaughtUp();
  }

  @Test
  void pausedReplayStandsStillWhileItGoesOnReceiving() throws SQLException {
    replica.pauseReplay();
    WalPosition before = replica.walPosition();
    run(primary, "INSERT INTO t VALUES (1)");
    other.awaitCaughtUp();

    assertThat(count(other)).isEqualTo(1);
    assertThat(count(replica)).isZero();
    assertThat(replica.walPosition()).isEqualTo(before);
    await()
        .untilAsserted(
            () ->
                assertThat(WalPosition.parse(ask(replica, "SELECT pg_last_wal_receive_lsn()")))
                    .isGreaterThan(before));

    replica.resumeReplay().awaitCaughtUp();
    assertThat(count(replica)).isEqualTo(1);
  }

  @Test
  void anApplyDelayShowsCommitsLater() throws SQLException {
    replica.applyDelay(Duration.ofMillis(300));
    long begun = System.nanoTime();
    run(primary, "INSERT INTO t VALUES (1)");

    replica.awaitCaughtUp();

    assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(300_000_000);
    replica.applyDelay(Duration.ZERO);
    assertThat(ask(replica, "SHOW recovery_min_apply_delay")).isEqualTo("0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> replica.applyDelay(Duration.ofMillis(-1)));
  }

  @Test
  void aDetachedStandbyServesWhatItHas() throws SQLException {
    replica.detach();
    run(primary, "INSERT INTO t VALUES (1)");
    other.awaitCaughtUp();

    assertThat(count(replica)).isZero();

    replica.repoint(primary).awaitCaughtUp();
    assertThat(count(replica)).isEqualTo(1);
  }

  @Test
  void aStandbyCanFollowAnotherStandby() throws SQLException {
    replica.repoint(other);
    run(primary, "INSERT INTO t VALUES (1)");

    replica.awaitCaughtUp();

    assertThat(count(replica)).isEqualTo(1);
    assertThat(ask(primary, "SELECT count(*) FROM pg_stat_replication")).isEqualTo("1");
    replica.repoint(primary);
  }

  @Test
  void aFrozenServerKeepsConnectionsAndAnswersNothing() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(replica.url() + "?socketTimeout=1", "postgres", "");
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT 1");
      replica.freeze();

      assertThat(replica.isRunning()).isTrue();
      assertThat(replica.isFrozen()).isTrue();
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> statement.execute("SELECT 1"))
          .matches(e -> e.getSQLState().equals("08006"));
      assertThatExceptionOfType(PostgresClusterException.class)
          .isThrownBy(replica::pauseReplay)
          .withMessage("replica-1 is frozen; thaw() it first");
    } finally {
      replica.thaw();
    }
    assertThat(count(replica)).isZero();
    replica.awaitCaughtUp();
  }

  @Test
  void settingsChangeOnOneNodeAndComeBack() throws SQLException {
    assertThat(ask(replica, "SHOW work_mem")).isEqualTo("5MB");

    replica.setting("work_mem", "7MB");
    assertThat(ask(replica, "SHOW work_mem")).isEqualTo("7MB");
    assertThat(ask(other, "SHOW work_mem")).isEqualTo("5MB");

    replica.resetSetting("work_mem");
    assertThat(ask(replica, "SHOW work_mem")).isEqualTo("5MB");
    assertThatExceptionOfType(PostgresClusterException.class)
        .isThrownBy(() -> replica.setting("work_mem", "much"))
        .withMessageContaining("replica-1")
        .withMessageContaining("work_mem");
  }

  @Test
  void hasWhatItWasBuiltWith(PostgresCluster cluster) throws SQLException {
    assertThat(ask(primary, "SHOW wal_level")).isEqualTo("logical");
    assertThat(ask(primary, "SELECT current_database()")).isEqualTo("app data");
    assertThat(ask(replica, "SHOW max_connections")).isEqualTo("100");
    assertThat(ask(primary, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
    assertThat(cluster.nodes())
        .extracting(PostgresNode::name)
        .containsExactly("primary", "replica-1", "replica-2");
    assertThat(cluster.replicas()).containsExactly(replica, other);
    assertThat(primary.isPrimary()).isTrue();
    assertThat(replica.isPrimary()).isFalse();
    assertThat(primary.timeline()).isEqualTo(1);
    assertThat(replica.timeline()).isEqualTo(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.node("replica-9"))
        .withMessageContaining("replica-2");
  }

  @Test
  void aRoleWithPasswordMustGiveIt() throws SQLException {
    for (PostgresNode node : POSTGRES.cluster().nodes()) {
      try (Connection connection = node.connect("app", "it's \\secret")) {
        assertThat(connection.isValid(1)).isTrue();
      }
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> node.connect("app", "wrong").close())
          .matches(e -> e.getSQLState().equals("28P01"));
    }
  }

  @Test
  void rolesWithFewRightsAreKnownEverywhere(PostgresCluster cluster) throws SQLException {
    cluster.createRole("blind");
    cluster.createRoleWithPassword("late", "pw");
    cluster.revokePositionFunctions("blind");

    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> positionAs("blind", ""))
        .matches(e -> e.getSQLState().equals("42501"));
    assertThat(positionAs("app", "it's \\secret")).isNotEmpty();
    assertThat(positionAs("late", "pw")).isNotEmpty();
    assertThatExceptionOfType(SQLException.class).isThrownBy(() -> positionAs("late", ""));

    cluster.grantPositionFunctions("blind");
    assertThat(positionAs("blind", "")).isNotEmpty();
  }

  private String positionAs(String role, String password) throws SQLException {
    try (Connection connection = replica.connect(role, password)) {
      return PostgresNode.string(connection, "SELECT pg_last_wal_replay_lsn()");
    }
  }

  @Test
  void countsRoundTripsOnTheWire() throws SQLException {
    try (Connection connection = Rows.through(replica);
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT 1");
      WireStats before = replica.wire();
      statement.execute("SELECT 1");
      statement.execute("SELECT 1; SELECT 2; SELECT 3");
      connection.setAutoCommit(false);
      statement.execute("SELECT 1");
      connection.commit();

      WireStats used = replica.wire().minus(before);
      // The driver sends BEGIN together with the first statement.
      assertThat(used.requests()).isEqualTo(5);
      assertThat(used.roundTrips()).isEqualTo(4);
      assertThat(used.bytesToServer()).isPositive();
      assertThat(used.bytesToClient()).isPositive();
      assertThat(used.connectionsOpened()).isZero();
      assertThat(replica.roundTrips()).isEqualTo(replica.wire().roundTrips());
    }
  }

  @Test
  void theProxyLosesTheAnswerOfAWriteThatHappened() throws SQLException {
    try (Connection connection = Rows.through(primary);
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT 1");
      primary.proxy().cutAfter(Direction.TO_CLIENT, 0);

      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> statement.execute("INSERT INTO t VALUES (1)"));
    }
    assertThat(count(primary)).isEqualTo(1);
  }

  @Test
  void synchronousCommitsWaitForTheirStandbys(PostgresCluster cluster) throws SQLException {
    cluster.synchronousStandbys(1, replica, other);
    try {
      await()
          .untilAsserted(
              () ->
                  assertThat(
                          ask(
                              primary,
                              "SELECT string_agg(sync_state, ',') FROM pg_stat_replication"))
                      .isEqualTo("quorum,quorum"));
      run(primary, "INSERT INTO t VALUES (1)");
    } finally {
      cluster.synchronousStandbys(0);
    }
    assertThat(ask(primary, "SHOW synchronous_standby_names")).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> cluster.synchronousStandbys(2, replica));
  }

  @Nested
  class Inside {
    @Test
    void nestedTestsShareTheCluster(PostgresCluster cluster) {
      assertThat(cluster).isSameAs(POSTGRES.cluster());
      assertThat(primary.isRunning()).isTrue();
    }
  }
}
