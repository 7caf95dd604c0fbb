package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.postgres.PostgresCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Passwords that change while the data source is open. */
class CredentialsTest {
  private static final String FIRST = "hunter2-first";
  private static final String SECOND = "hunter2-second";
  private static final String WRONG = "hunter2-wrong";
  private static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(10);

  private static PostgresCluster cluster;
  private final AtomicReference<String> password = new AtomicReference<>(FIRST);

  @BeforeAll
  static void start() {
    cluster = PostgresCluster.builder().replicas(1).role("rotating", FIRST).start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void reset() throws SQLException {
    rotate(FIRST);
    password.set(FIRST);
  }

  private static void onPrimary(String sql) throws SQLException {
    try (Connection connection = cluster.primary().connect()) {
      Jdbc.execute(connection, sql);
    }
    cluster.awaitCaughtUp();
  }

  private static void rotate(String to) throws SQLException {
    onPrimary("ALTER ROLE rotating PASSWORD '" + to + "'");
  }

  /** Ends all sessions of the role: what opens next must give the password. */
  private static void endSessions() throws SQLException {
    for (var node : cluster.nodes()) {
      try (Connection connection = node.connect()) {
        Jdbc.one(
            connection,
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                + " WHERE usename = 'rotating'");
      }
    }
  }

  private RecordedDataSource open() throws SQLException {
    return RecordedDataSource.open(
        WaymarkDataSource.builder()
            .user("rotating")
            .password(password::get)
            .primary(cluster.primary().url())
            .replica(cluster.replica(1).url()),
        b -> b.acquireTimeout(ACQUIRE_TIMEOUT).routing(r -> r.probe("200ms")));
  }

  @Test
  void aRotatedPasswordIsUsedByPoolAndMonitor() throws SQLException {
    try (RecordedDataSource source = open()) {
      source.write("SELECT 1");
      source.read("SELECT 1");

      rotate(SECOND);
      password.set(SECOND);
      endSessions();

      await()
          .untilAsserted(
              () -> {
                assertThat(source.read("SELECT 1")).isEqualTo("1");
                assertThat(source.lastReason()).isEqualTo("auto:replica-1");
                assertThat(source.status("replica-1").circuit()).doesNotContain("open");
              });
      source.write("SELECT 1");
    }
  }

  @Test
  void anOldPasswordDisturbsNoOpenConnection() throws SQLException {
    try (RecordedDataSource source = open()) {
      source.read("SELECT 1");
      rotate(SECOND);

      // The pool's connection and the monitors' are open, and stay so.
      assertThat(source.read("SELECT 1")).isEqualTo("1");
      assertThat(source.lastReason()).isEqualTo("auto:replica-1");
      assertThat(source.status("replica-1").circuit()).isEqualTo("closed");
    }
  }

  @Test
  void aWrongPasswordIsAClearErrorAndShownNowhere() throws SQLException {
    AllLogs logs = new AllLogs();
    StringWriter thrown = new StringWriter();
    try (logs;
        RecordedDataSource source = open()) {
      // Only the pools need new connections: the probes go on, and the circuit stays closed.
      password.set(WRONG);
      long started = System.nanoTime();
      assertThatThrownBy(() -> source.write("SELECT 1"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("endpoint primary")
          .hasMessageContaining("password authentication failed")
          .satisfies(e -> assertThat(((SQLException) e).getSQLState()).isEqualTo("28P01"))
          .satisfies(e -> e.printStackTrace(new PrintWriter(thrown, true)));
      assertThat(Duration.ofNanos(System.nanoTime() - started))
          .as("waiting would not help")
          .isLessThan(ACQUIRE_TIMEOUT.dividedBy(2));
      for (int i = 0; i < 5; i++) {
        assertThatThrownBy(() -> source.read("SELECT 1"))
            .hasMessageContaining("password authentication failed")
            .satisfies(e -> e.printStackTrace(new PrintWriter(thrown, true)));
      }
      assertThat(source.status("replica-1").circuit()).isEqualTo("closed");

      // Once the probe cannot connect either, the circuit opens by the rule, and closes again.
      endSessions();
      await()
          .untilAsserted(() -> assertThat(source.status("replica-1").circuit()).startsWith("open"));
      password.set(FIRST);
      await()
          .untilAsserted(
              () -> {
                assertThat(source.read("SELECT 1")).isEqualTo("1");
                assertThat(source.lastReason()).isEqualTo("auto:replica-1");
              });
      assertThat(source.db().toString() + source.db().endpoints()).doesNotContain("hunter2");
    }
    assertThat(thrown.toString()).contains("password authentication failed");
    assertThat(thrown + logs.text()).doesNotContain("hunter2");
  }

  @Test
  void aSupplierThatFailsIsAClearErrorThatRepeatsNothing() {
    assertThatThrownBy(
            () ->
                WaymarkDataSource.builder()
                    .user("rotating")
                    .password(
                        () -> {
                          throw new IllegalStateException(WRONG);
                        })
                    .primary(cluster.primary().url())
                    .connect())
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("the supplier of the password for endpoint primary threw")
        .satisfies(
            e -> {
              StringWriter all = new StringWriter();
              e.printStackTrace(new PrintWriter(all, true));
              assertThat(all.toString()).doesNotContain("hunter2");
            });
  }
}
