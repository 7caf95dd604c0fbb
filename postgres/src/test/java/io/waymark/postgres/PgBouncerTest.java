package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Role;
import io.waymark.testing.postgres.PostgresCluster;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds behind PgBouncer, one server behind each URL. */
class PgBouncerTest {
  private static final int SESSIONS = 4;

  private static PostgresCluster cluster;
  private static PgBouncer session;
  private static PgBouncer transaction;

  private enum Mode {
    SESSION,
    TRANSACTION;

    PgBouncer bouncer() {
      return this == SESSION ? session : transaction;
    }
  }

  @BeforeAll
  static void start() throws IOException, InterruptedException, SQLException {
    cluster = PostgresCluster.builder().replicas(1).setting("max_connections", "200").start();
    session = PgBouncer.start("session", 40, cluster.nodes());
    transaction = PgBouncer.start("transaction", SESSIONS, cluster.nodes());
    onPrimary("CREATE TABLE counted (id bigserial PRIMARY KEY, thread int, value int)");
  }

  @AfterAll
  static void stop() throws IOException {
    for (PgBouncer bouncer : new PgBouncer[] {session, transaction}) {
      if (bouncer != null) {
        bouncer.close();
      }
    }
    cluster.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    onPrimary("TRUNCATE counted");
    cluster.awaitCaughtUp();
  }

  @AfterEach
  void heal() {
    cluster.replica(1).resumeReplay();
  }

  private static void onPrimary(String sql) throws SQLException {
    try (Connection connection = cluster.primary().connect()) {
      Jdbc.execute(connection, sql);
    }
  }

  private static RecordedDataSource open(Mode mode) throws SQLException {
    PgBouncer bouncer = mode.bouncer();
    WaymarkDataSourceBuilder builder =
        WaymarkDataSource.builder()
            .user("postgres")
            .primary(bouncer.url(cluster.primary()))
            .replica(bouncer.url(cluster.replica(1)));
    return RecordedDataSource.open(
        builder,
        b ->
            b.pooler(mode == Mode.TRANSACTION ? Pooler.TRANSACTION : Pooler.NONE)
                .routing(r -> r.probe("300ms")));
  }

  // ---- own writes

  @ParameterizedTest
  @EnumSource
  void readsRightAfterOwnWritesAreNeverStale(Mode mode) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (RecordedDataSource source = open(mode)) {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int thread = t;
        all.add(
            threads.submit(
                () -> {
                  for (int i = 1; i <= 60; i++) {
                    writeAndRead(source, thread, i);
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertThat(source.events()).anyMatch(e -> e.reason().equals("auto:replica-1"));
    } finally {
      threads.shutdown();
    }
  }

  /** Odd ones in a transaction, even ones in autocommit, always with a parameter. */
  private static void writeAndRead(RecordedDataSource source, int thread, int i)
      throws SQLException {
    try (Connection connection = source.db().getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO counted (thread, value) VALUES (?, ?)")) {
      connection.setAutoCommit(i % 2 == 0);
      insert.setInt(1, thread);
      insert.setInt(2, i);
      insert.executeUpdate();
      connection.setAutoCommit(true);
    }
    try (Connection reader = source.reader();
        PreparedStatement select =
            reader.prepareStatement("SELECT max(value) FROM counted WHERE thread = ?")) {
      select.setInt(1, thread);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo(i);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReplicaThatIsBehindDoesNotServe(Mode mode) throws SQLException {
    try (RecordedDataSource source = open(mode)) {
      cluster.replica(1).pauseReplay();
      source.write("INSERT INTO counted (value) VALUES (1)");

      assertThat(source.read("SELECT count(*) FROM counted")).isEqualTo("1");
      assertThat(source.lastReason()).isEqualTo("fallback:behind");

      try (Connection connection = source.writer()) {
        connection.setAutoCommit(false);
        Jdbc.execute(connection, "INSERT INTO counted (value) VALUES (2)");
        connection.commit();
      }
      assertThat(source.read("SELECT count(*) FROM counted")).isEqualTo("2");
      assertThat(source.lastReason()).isEqualTo("fallback:behind");

      cluster.replica(1).resumeReplay();
      cluster.awaitCaughtUp();
      assertThat(source.read("SELECT count(*) FROM counted")).isEqualTo("2");
      assertThat(source.lastReason()).isEqualTo("auto:replica-1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRestartedReplicaServesAgain(Mode mode) throws SQLException {
    try (RecordedDataSource source = open(mode)) {
      source.write("INSERT INTO counted (value) VALUES (1)");
      source.read("SELECT 1");

      cluster.replica(1).restart();
      cluster.replica(1).awaitStreaming(cluster.primary()).awaitCaughtUp();

      await()
          .untilAsserted(
              () -> {
                source.write("INSERT INTO counted (value) VALUES (2)");
                cluster.awaitCaughtUp();
                assertThat(source.read("SELECT max(value) FROM counted")).isEqualTo("2");
                assertThat(source.lastReason())
                    .as(() -> source.status("replica-1").toString())
                    .isEqualTo("auto:replica-1");
              });
    }
  }

  // ---- shared sessions stay as they were

  /** Another client of the same pooler, without Waymark: each of its sessions must take writes. */
  private static void assertNoSessionWasChanged(Mode mode) throws SQLException {
    String plain = mode.bouncer().url(cluster.primary()) + "?user=postgres&prepareThreshold=0";
    List<Connection> all = new ArrayList<>();
    try {
      for (int i = 0; i < SESSIONS; i++) {
        Connection connection = java.sql.DriverManager.getConnection(plain);
        all.add(connection);
        connection.setAutoCommit(false); // holds its session
        assertThat(Jdbc.one(connection, "SHOW transaction_read_only")).isEqualTo("off");
        assertThat(Jdbc.one(connection, "SHOW default_transaction_read_only")).isEqualTo("off");
        assertThat(Jdbc.one(connection, "SHOW default_transaction_isolation"))
            .isEqualTo("read committed");
        Jdbc.execute(connection, "INSERT INTO counted (value) VALUES (99)");
      }
    } finally {
      for (Connection connection : all) {
        connection.rollback();
        connection.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noServerSessionIsLeftReadOnlyOrIsolated(Mode mode) throws SQLException {
    try (RecordedDataSource source = open(mode)) {
      for (int i = 0; i < 10; i++) {
        try (Connection reader = source.db().using(Role.PRIMARY).getConnection()) {
          reader.setReadOnly(true);
          reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          assertThat(Jdbc.one(reader, "SHOW transaction_read_only")).isEqualTo("on");
          assertThatThrownBy(() -> Jdbc.execute(reader, "INSERT INTO counted (value) VALUES (1)"))
              .hasMessageStartingWith("WM1840");
          reader.setAutoCommit(false);
          assertThat(Jdbc.one(reader, "SHOW transaction_isolation")).isEqualTo("repeatable read");
          assertThat(Jdbc.one(reader, "SHOW transaction_read_only")).isEqualTo("on");
          reader.rollback();
        }
      }
      if (mode == Mode.TRANSACTION) {
        assertNoSessionWasChanged(mode);
      }
    }
    assertNoSessionWasChanged(mode);
  }

  @Test
  void aReadInAutocommitOnThePrimaryIsATransactionOfItsOwn() throws SQLException {
    try (RecordedDataSource source = open(Mode.TRANSACTION);
        Connection reader = source.db().using(Role.PRIMARY).getConnection()) {
      reader.setReadOnly(true);

      assertThat(
              Jdbc.one(
                  reader,
                  "SELECT current_setting('transaction_read_only') || ' '"
                      + " || current_setting('default_transaction_read_only')"))
          .isEqualTo("on off");
      assertThat(reader.getAutoCommit()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"2, READ COMMITTED", "4, REPEATABLE READ", "8, SERIALIZABLE"})
  void anIsolationLevelIsSetInEachTransaction(int level, String name) throws SQLException {
    try (RecordedDataSource source = open(Mode.TRANSACTION);
        Connection connection = source.writer()) {
      connection.setTransactionIsolation(level);
      connection.setAutoCommit(false);
      for (int i = 0; i < 3; i++) {
        assertThat(Jdbc.one(connection, "SHOW transaction_isolation")).isEqualToIgnoringCase(name);
        connection.commit();
      }
    }
  }

  @Test
  void aSchemaOfTheSessionIsRefused() throws SQLException {
    try (RecordedDataSource source = open(Mode.TRANSACTION);
        Connection connection = source.writer()) {
      assertThatThrownBy(() -> connection.setSchema("public"))
          .isInstanceOf(SQLFeatureNotSupportedException.class)
          .hasMessageContaining("pooler in transaction mode");
    }
  }

  @Test
  void statementsAreNotPreparedOnSharedSessions() throws SQLException {
    try (RecordedDataSource source = open(Mode.TRANSACTION)) {
      for (int i = 0; i < 30; i++) {
        try (Connection connection = source.writer();
            PreparedStatement same = connection.prepareStatement("SELECT ?::int")) {
          same.setInt(1, i);
          try (ResultSet row = same.executeQuery()) {
            row.next();
            assertThat(row.getInt(1)).isEqualTo(i);
          }
        }
      }
      try (Connection connection = source.writer();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT count(*) FROM pg_prepared_statements")) {
        row.next();
        assertThat(row.getInt(1)).isZero();
      }
    }
  }
}
