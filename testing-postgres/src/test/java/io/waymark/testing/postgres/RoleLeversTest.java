package io.waymark.testing.postgres;

import static io.waymark.testing.postgres.Rows.ask;
import static io.waymark.testing.postgres.Rows.count;
import static io.waymark.testing.postgres.Rows.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Levers that change roles; each test has a cluster of its own. */
class RoleLeversTest {

  @RegisterExtension final PostgresClusterExtension postgres = PostgresClusterExtension.create();

  private PostgresCluster cluster;
  private PostgresNode old;
  private PostgresNode next;
  private PostgresNode other;

  @BeforeEach
  void oneRow() throws SQLException {
    cluster = postgres.cluster();
    old = cluster.primary();
    next = cluster.replica(1);
    other = cluster.replica(2);
    run(old, "CREATE TABLE t (id int)", "INSERT INTO t VALUES (1)");
    cluster.awaitCaughtUp();
  }

  @Test
  void aSwitchoverLosesNothingAndTheOldPrimaryFollows() throws SQLException {
    cluster.synchronousStandbys(1, next, other);
    run(old, "INSERT INTO t SELECT generate_series(2, 10000)");

    assertThat(cluster.switchover(next)).isSameAs(next);

    assertThat(cluster.primary()).isSameAs(next);
    assertThat(cluster.replicas()).containsExactly(old, other);
    assertThat(next.timeline()).isEqualTo(2);
    assertThat(ask(next, "SHOW synchronous_standby_names"))
        .isEqualTo("ANY 1 (\"replica-2\", \"primary\")");
    run(next, "INSERT INTO t VALUES (10001)");
    cluster.awaitCaughtUp();
    for (PostgresNode node : cluster.nodes()) {
      assertThat(count(node)).isEqualTo(10001);
    }
    cluster.switchover(old);
    assertThat(old.isPrimary()).isTrue();
    assertThat(old.timeline()).isEqualTo(3);
  }

  @Test
  void aFailoverKillsThePrimaryAndItRejoinsAsACopy() throws SQLException {
    other.pauseReplay();
    other.resumeReplay();
    cluster.failover(next);

    assertThat(old.isRunning()).isFalse();
    assertRefused(old);
    run(next, "INSERT INTO t VALUES (2)");
    other.awaitCaughtUp();
    assertThat(count(other)).isEqualTo(2);

    old.rejoin().awaitCaughtUp();

    assertThat(old.isPrimary()).isFalse();
    assertThat(count(old)).isEqualTo(2);
    assertThat(ask(old, "SELECT received_tli FROM pg_stat_wal_receiver")).isEqualTo("2");
  }

  @Test
  void aKilledServerIsGoneAndRecoversOnTheSamePort() throws SQLException {
    List<Long> family =
        ProcessHandle.of(old.pid()).orElseThrow().descendants().map(ProcessHandle::pid).toList();
    assertThat(family).isNotEmpty();
    int port = old.port();

    old.kill();

    assertThat(family).allMatch(Signals::gone);
    assertRefused(old);
    assertThat(old.pid()).isEqualTo(-1);
    old.kill();
    old.start();
    assertThat(old.port()).isEqualTo(port);
    assertThat(old.isPrimary()).isTrue();
    assertThat(count(old)).isEqualTo(1);
    next.awaitStreaming(old);
  }

  @Test
  void aFrozenServerCanBeKilled() throws SQLException {
    next.freeze();
    next.kill();
    assertThat(next.isFrozen()).isFalse();
    assertRefused(next);

    next.start().awaitStreaming(old);
    assertThat(count(next)).isEqualTo(1);
  }

  @Test
  void aStoppedStandbyComesBackAndItsConnectionsWereEnded() throws SQLException {
    try (Connection connection = next.connect()) {
      next.stop();
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> PostgresNode.string(connection, "SELECT 1"))
          .matches(e -> e.getSQLState().equals("57P01"));
    }
    assertRefused(next);
    assertThatExceptionOfType(PostgresClusterException.class)
        .isThrownBy(next::awaitCaughtUp)
        .withMessage("replica-1 is down; start() it first");
    run(old, "INSERT INTO t VALUES (2)");

    next.setting("work_mem", "9MB").start().awaitCaughtUp();

    assertThat(count(next)).isEqualTo(2);
    assertThat(ask(next, "SHOW work_mem")).isEqualTo("9MB");
  }

  @Test
  void aPromotionBesideALivingPrimaryMakesTwo() throws SQLException {
    next.promote();
    run(old, "INSERT INTO t VALUES (2)");
    run(next, "INSERT INTO t VALUES (3), (4)");

    assertThat(old.isPrimary()).isTrue();
    assertThat(next.isPrimary()).isTrue();
    assertThat(cluster.primary()).isSameAs(next);
    assertThat(count(old)).isEqualTo(2);
    assertThat(count(next)).isEqualTo(3);
    assertThatExceptionOfType(PostgresClusterException.class)
        .isThrownBy(next::promote)
        .withMessage("replica-1 is a primary already");
  }

  @Test
  void aDivergedPrimaryMadeAStandbyServesRowsThatNobodyElseHas() throws SQLException {
    next.promote();
    run(old, "INSERT INTO t SELECT 99 FROM generate_series(1, 500)");
    run(next, "INSERT INTO t VALUES (2)");
    assertThatExceptionOfType(PostgresClusterException.class)
        .isThrownBy(() -> old.follow(next))
        .withMessageContaining("primary runs as a primary");

    old.stop().follow(next).start();

    assertThat(old.isPrimary()).isFalse();
    assertThat(ask(old, "SELECT count(*) FROM t WHERE id = 99")).isEqualTo("500");
    await().until(() -> old.log().contains("forked off"));

    old.rejoin().awaitCaughtUp();
    assertThat(ask(old, "SELECT count(*) FROM t WHERE id = 99")).isEqualTo("0");
    assertThat(count(old)).isEqualTo(2);
  }

  @Test
  void aCopyOfAServerUnderLoadIsWhole() throws Exception {
    Thread writer =
        new Thread(
            () -> {
              try (Connection connection = old.connect()) {
                while (!Thread.currentThread().isInterrupted()) {
                  PostgresNode.string(
                      connection, "INSERT INTO t SELECT generate_series(1, 500) RETURNING 1");
                }
              } catch (SQLException e) {
                // The interrupt may hit the driver.
              }
            },
            "writer");
    writer.start();
    try {
      next.rejoin();
    } finally {
      writer.interrupt();
      writer.join();
    }
    next.awaitCaughtUp();

    assertThat(count(next)).isEqualTo(count(old));
  }

  @Test
  void wrongOrdersAreRefused() {
    assertThatExceptionOfType(PostgresClusterException.class)
        .isThrownBy(() -> cluster.switchover(old))
        .withMessageContaining("is no standby of this cluster");
    assertThatExceptionOfType(PostgresClusterException.class)
        .isThrownBy(() -> old.rejoin())
        .withMessage("primary cannot follow itself");
    next.stop();
    assertThatExceptionOfType(PostgresClusterException.class)
        .isThrownBy(() -> cluster.failover(next))
        .withMessageContaining("it must run");
  }

  private static void assertRefused(PostgresNode node) {
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> node.connect().close())
        .matches(e -> e.getSQLState().equals("08001"));
  }
}
