package io.waymark.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.testing.postgres.PostgresCluster;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresStateReceiverTest extends JdbcStateReceiverContract {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static PostgresCluster cluster;
  private final String schema = "member_" + NUMBER.incrementAndGet();

  @BeforeAll
  static void start() {
    cluster = PostgresCluster.builder().replicas(0).role("member", "secret").start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  @Override
  void createTables() throws SQLException {
    try (Connection connection = cluster.primary().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
    }
    super.createTables();
  }

  @Override
  Connection connect() throws SQLException {
    return connect(PostgresCluster.SUPERUSER);
  }

  private Connection connect(String user) throws SQLException {
    String url = cluster.primary().url();
    return DriverManager.getConnection(
        url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema, user, "secret");
  }

  @Test
  void atRepeatableReadALostRaceIsATransactionToTryAgain() throws Exception {
    StateUpdate<Integer> older = new StateUpdate<>(1, Stamp.parse("1.1@c1"));
    StateUpdate<Integer> newer = new StateUpdate<>(2, Stamp.parse("1.2@c1"));
    for (String key : List.of("first delivery", "second delivery")) {
      try (Connection slow = connect();
          Connection quick = connect();
          Statement statement = slow.createStatement()) {
        quick.setAutoCommit(false);
        if (key.startsWith("second")) {
          receiver.apply(quick, key, older, (c, value) -> {});
          quick.commit();
        }
        slow.setAutoCommit(false);
        slow.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        statement.execute("SELECT 1"); // from now on it sees nothing new
        receiver.apply(quick, key, newer, (c, value) -> {});
        quick.commit();

        Callable<Reception> late = () -> receiver.apply(slow, key, older, (c, value) -> {});
        assertThatThrownBy(late::call)
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
        slow.rollback();
        assertThat(late.call()).isNotEqualTo(Reception.APPLIED);
        slow.rollback();
      }
    }
  }

  @Test
  void manyProcessesMayCreateTheTableAtOnce() throws Exception {
    JdbcStateReceiver fresh = JdbcStateReceiver.inTable(schema + ".fresh_applied");
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> starts = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        boolean transaction = i % 2 == 0;
        starts.add(
            threads.submit(
                () -> {
                  try (Connection connection = connect()) {
                    connection.setAutoCommit(!transaction);
                    fresh.create(connection);
                    if (transaction) {
                      connection.commit();
                    }
                    return null;
                  }
                }));
      }
      for (Future<?> start : starts) {
        start.get(30, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aRoleThatMayNotCreateUsesATableThatIsThere() throws Exception {
    try (Connection owner = connect();
        Statement statement = owner.createStatement()) {
      statement.execute("GRANT USAGE ON SCHEMA " + schema + " TO member");
      statement.execute("GRANT SELECT, INSERT, UPDATE ON waymark_applied TO member");
    }
    try (Connection member = connect("member")) {
      receiver.create(member);
      member.setAutoCommit(false);
      StateUpdate<Integer> update = new StateUpdate<>(1, Stamp.parse("1.1@c1"));
      assertThat(receiver.apply(member, "key", update, (c, value) -> {}))
          .isEqualTo(Reception.APPLIED);
      member.commit();

      JdbcStateReceiver elsewhere = JdbcStateReceiver.inTable(schema + ".not_there");
      assertThatThrownBy(() -> elsewhere.create(member)).hasMessageContaining("permission denied");
      member.rollback();
    }
  }
}
