package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Role;
import io.waymark.testing.SeededRandom;
import io.waymark.testing.SeededRandomExtension;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A session reads what it wrote, whichever way it wrote it and however late the replicas are. */
@ExtendWith(SeededRandomExtension.class)
class OwnWritesTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final String ROWS = "SELECT count(*) FROM notes";

  private RecordedDataSource source;

  @BeforeEach
  void open() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
    source = open(b -> {});
  }

  private static RecordedDataSource open(Consumer<WaymarkDataSourceBuilder> options)
      throws SQLException {
    return cluster.open(
        b -> {
          b.routing(r -> r.probe("300ms"));
          options.accept(b);
        });
  }

  @AfterEach
  void close() {
    source.close();
  }

  // ---- every way to write

  private interface Way {
    void write(Connection connection) throws SQLException;
  }

  private static Arguments way(String name, Way way) {
    return Arguments.argumentSet(name, way);
  }

  private static Way inTransaction(Way way) {
    return connection -> {
      connection.setAutoCommit(false);
      way.write(connection);
      connection.commit();
    };
  }

  private static Way sql(String sql) {
    return connection -> Jdbc.execute(connection, sql);
  }

  static Stream<Arguments> ways() {
    String insert = "INSERT INTO notes VALUES (1, 'own')";
    return Stream.of(
        way("autocommit", sql(insert)),
        way("transaction", inTransaction(sql(insert))),
        way("a hidden write in autocommit", sql("SELECT note(1)")),
        way("a hidden write in a transaction", inTransaction(sql("SELECT note(1)"))),
        way("a procedure that commits", sql("CALL note_and_commit(1)")),
        way(
            "a procedure through a callable statement",
            connection -> {
              try (CallableStatement call = connection.prepareCall("CALL note_and_commit(?)")) {
                call.setInt(1, 1);
                call.execute();
              }
            }),
        way("DO", sql("DO $$ BEGIN INSERT INTO notes VALUES (1, 'do'); END $$")),
        way("several statements in one text", sql("SELECT 1; " + insert)),
        way("a list of statements with its own COMMIT", sql("BEGIN; " + insert + "; COMMIT")),
        way(
            "BEGIN and COMMIT as statements",
            connection -> {
              Jdbc.execute(connection, "BEGIN");
              Jdbc.execute(connection, insert);
              Jdbc.execute(connection, "COMMIT");
            }),
        way(
            "COMMIT as a statement of a transaction",
            connection -> {
              connection.setAutoCommit(false);
              Jdbc.execute(connection, insert);
              Jdbc.execute(connection, "/* now */ COMMIT");
            }),
        way(
            "autocommit turned on in a transaction",
            connection -> {
              connection.setAutoCommit(false);
              Jdbc.execute(connection, insert);
              connection.setAutoCommit(true);
            }),
        way(
            "executeLargeUpdate",
            connection -> {
              try (Statement statement = connection.createStatement()) {
                assertThat(statement.executeLargeUpdate(insert)).isEqualTo(1);
              }
            }),
        way(
            "generated keys",
            connection -> {
              try (PreparedStatement statement =
                  connection.prepareStatement(insert, Statement.RETURN_GENERATED_KEYS)) {
                statement.executeUpdate();
                try (ResultSet keys = statement.getGeneratedKeys()) {
                  assertThat(keys.next()).isTrue();
                  assertThat(keys.getInt("id")).isEqualTo(1);
                }
              }
            }),
        way(
            "RETURNING read as a query",
            connection ->
                assertThat(Jdbc.one(connection, insert + " RETURNING id")).isEqualTo("1")),
        way(
            "a batch of statements",
            connection -> {
              try (Statement statement = connection.createStatement()) {
                statement.addBatch(insert);
                assertThat(statement.executeBatch()).containsExactly(1);
              }
            }),
        way(
            "a prepared batch",
            connection -> {
              try (PreparedStatement statement =
                  connection.prepareStatement("INSERT INTO notes VALUES (?, 'own')")) {
                statement.setInt(1, 1);
                statement.addBatch();
                assertThat(statement.executeLargeBatch()).containsExactly(1L);
              }
            }),
        way(
            "an updatable result set",
            connection -> {
              connection.setAutoCommit(false);
              try (Statement statement =
                      connection.createStatement(
                          ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                  ResultSet rows = statement.executeQuery("SELECT id, title FROM notes")) {
                rows.moveToInsertRow();
                rows.updateInt(1, 1);
                rows.insertRow();
              }
              connection.commit();
            }),
        way(
            "an updatable result set in autocommit",
            connection -> {
              try (Statement statement =
                      connection.createStatement(
                          ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                  ResultSet rows = statement.executeQuery("SELECT id, title FROM notes")) {
                rows.moveToInsertRow();
                rows.updateInt(1, 1);
                rows.insertRow();
              }
            }),
        way(
            "a write past the data source",
            connection -> {
              Connection own = (Connection) connection.unwrap(org.postgresql.PGConnection.class);
              Jdbc.execute(own, insert);
            }));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void ownWriteIsSeenWhileReplayIsPaused(Way way) throws SQLException {
    source.read("SELECT 1");
    cluster.pauseReplay();

    try (Connection connection = source.writer()) {
      way.write(connection);
    }

    assertThat(source.read(ROWS)).isEqualTo("1");
    assertThat(source.lastReason()).isEqualTo("fallback:behind");
    cluster.resumeReplay();
    await().until(() -> source.read(ROWS).equals("1") && source.lastReason().startsWith("auto:"));
  }

  @Test
  void aWriteThatOverruledItsOwnDeclarationIsSeenToo() throws SQLException {
    cluster.pauseReplay();

    try (Connection connection = source.db().using(Role.PRIMARY).getConnection()) {
      connection.setReadOnly(true);
      Jdbc.execute(connection, "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE");
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'overruled')");
    }

    assertThat(source.read(ROWS)).isEqualTo("1");
    assertThat(source.lastReason()).isEqualTo("fallback:behind");
  }

  @Test
  void aTiedReadThatWouldMissAnOwnWriteIsRefusedAndSaysWhatTiesIt() throws SQLException {
    try (Connection tied = source.reader()) {
      Jdbc.execute(tied, "SET work_mem = '5MB'");
      cluster.pauseReplay();
      source.write("INSERT INTO notes VALUES (1, 'own')");

      assertThatThrownBy(() -> Jdbc.one(tied, ROWS))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1843))
          .hasMessageContaining("session state")
          .hasMessageContaining("(behind)");
    }
  }

  @Test
  void withoutAFallbackALateReplicaIsAnError() throws SQLException {
    try (RecordedDataSource strict =
        open(b -> b.routing(r -> r.probe("300ms").fallback(Fallback.ERROR)))) {
      cluster.pauseReplay();
      strict.write("INSERT INTO notes VALUES (1, 'own')");

      assertThatThrownBy(() -> strict.read(ROWS))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1844))
          .hasMessageContaining("(behind)");
      assertForcedIsRefused(strict);
      assertThat(strict.events())
          .extracting(RouteEvent::operation)
          .doesNotContain(io.waymark.core.Operation.READ);
    }
  }

  @Test
  void withoutAFallbackThreeReplicasThatNothingVouchesForAreAnErrorWithTheReason()
      throws SQLException {
    WaymarkDataSourceBuilder builder = cluster.builder().replica(cluster.replica(1).url());
    try (RecordedDataSource strict =
        RecordedDataSource.open(
            builder, b -> b.user("clerk").routing(r -> r.probe("1m").fallback(Fallback.ERROR)))) {
      strict.write("INSERT INTO notes VALUES (1, 'own')");
      // The monitors have their right to tell the server already, and the pools come too late.
      cluster.onPrimary("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM public");
      cluster.replicas().forEach(PostgresNode::awaitCaughtUp);

      assertThatThrownBy(() -> strict.read(ROWS))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1844))
          .hasMessageContaining("(behind)");
      assertThat(strict.events())
          .extracting(RouteEvent::endpoint)
          .containsExactly("primary", "replica-1", "replica-2", "replica-3");
    } finally {
      cluster.onPrimary("GRANT EXECUTE ON FUNCTION pg_control_system() TO public");
    }
  }

  private static void assertForcedIsRefused(RecordedDataSource from) {
    assertThatThrownBy(
            () -> {
              try (Connection forced = from.db().using(Role.REPLICA).getConnection()) {
                Jdbc.one(forced, ROWS);
              }
            })
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1843))
        .hasMessageContaining("(behind)");
  }

  @Test
  void aForcedReplicaThatIsLateIsRefusedWithEitherFallback() throws SQLException {
    cluster.pauseReplay();
    source.write("INSERT INTO notes VALUES (1, 'own')");

    assertForcedIsRefused(source);
  }

  @Test
  void whatWroteNothingLeavesTheReadsOnTheReplicas() throws SQLException {
    cluster.pauseReplay();
    // The log goes on without us: a session that were marked would see the replicas behind.
    cluster.onPrimary("INSERT INTO parents VALUES (1)");

    try (Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'undone')");
      connection.rollback();
      Jdbc.one(connection, ROWS);
      connection.commit();
      connection.commit();
    }
    try (Connection connection = source.db().using(Role.PRIMARY).getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      Jdbc.one(connection, ROWS);
      connection.commit();
      connection.setAutoCommit(true);
      Jdbc.one(connection, ROWS);
    }

    assertThat(source.read(ROWS)).isEqualTo("0");
    assertThat(source.lastReason()).startsWith("auto:");
  }

  @Test
  void otherSessionsDoNotWaitForThisOne() throws Exception {
    cluster.pauseReplay();
    try (CausalSession own = source.db().session()) {
      assertThat(own).isNotNull();
      source.write("INSERT INTO notes VALUES (1, 'own')");
      assertThat(source.read(ROWS)).isEqualTo("1");
      try (CausalSession inner = source.db().session()) {
        assertThat(inner).isNotNull();
        assertThat(source.read(ROWS)).isEqualTo("0");
        assertThat(source.lastReason()).startsWith("auto:");
      }
      assertThat(source.read(ROWS)).isEqualTo("1");
      onAnotherThread(
          () -> {
            assertThat(source.read(ROWS)).isEqualTo("0");
            return null;
          });
    }
    assertThat(source.read(ROWS)).isEqualTo("0");
  }

  @Test
  void theDefaultSessionIsSharedByAllThreads() throws Exception {
    cluster.pauseReplay();
    source.write("INSERT INTO notes VALUES (1, 'own')");

    onAnotherThread(
        () -> {
          assertThat(source.read(ROWS)).isEqualTo("1");
          assertThat(source.lastReason()).isEqualTo("fallback:behind");
          return null;
        });
  }

  private static void onAnotherThread(java.util.concurrent.Callable<?> work) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      thread.submit(work).get();
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void concurrentWritersOfOneSessionAllSeeTheirOwn() throws Exception {
    cluster.replica(1).applyDelay(Duration.ofMillis(40));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    AtomicInteger stale = new AtomicInteger();
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int w = 0; w < 4; w++) {
        int writer = w;
        writers.add(threads.submit(() -> writeAndReadBack(writer, stale)));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
      cluster.replica(1).applyDelay(Duration.ZERO);
    }
    assertThat(stale).hasValue(0);
  }

  private Void writeAndReadBack(int writer, AtomicInteger stale) throws SQLException {
    for (int i = 0; i < 25; i++) {
      int id = writer * 1000 + i;
      try (Connection connection = source.writer()) {
        connection.setAutoCommit(i % 2 == 0);
        Jdbc.execute(connection, "INSERT INTO notes VALUES (" + id + ", 'own')");
        connection.setAutoCommit(true);
      }
      if (source.read("SELECT id FROM notes WHERE id = " + id).equals("nothing")) {
        stale.incrementAndGet();
      }
    }
    return null;
  }

  @Test
  void aFailedTransactionDoesNotCommit() throws SQLException {
    try (Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'lost')");
      assertThatThrownBy(() -> Jdbc.execute(connection, "SELECT 1 / 0"))
          .isInstanceOf(SQLException.class);

      assertThatThrownBy(connection::commit)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));

      assertThat(Jdbc.one(connection, ROWS)).isEqualTo("0");
      connection.commit();
    }
  }

  @Test
  void aConstraintThatFailsAtCommitArrivesAsItself() throws SQLException {
    try (Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "INSERT INTO children VALUES (1, 99)");

      assertThatThrownBy(connection::commit)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23503"));

      assertThat(Jdbc.one(connection, "SELECT count(*) FROM children")).isEqualTo("0");
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'after')");
      connection.commit();
    }
    assertThat(source.read(ROWS)).isEqualTo("1");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void anUnflushedCommitIsSeenToo(Way way) throws SQLException {
    try (RecordedDataSource lazy = open(b -> b.user("lazy"))) {
      assertThat(lazy.read("SELECT 1")).isEqualTo("1");

      try (Connection connection = lazy.writer()) {
        way.write(connection);
      }

      assertThat(lazy.read(ROWS)).isEqualTo("1");
    }
  }

  @Test
  void withoutTheRightToReadPositionsItIsThePrimary() throws SQLException {
    String[] functions = {
      "pg_current_wal_insert_lsn", "pg_current_wal_flush_lsn", "pg_last_wal_replay_lsn"
    };
    for (String function : functions) {
      cluster.onPrimary("REVOKE EXECUTE ON FUNCTION " + function + "() FROM public");
    }
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
    try (RecordedDataSource clerk = open(b -> b.user("clerk"))) {
      clerk.read(ROWS);
      assertThat(clerk.lastReason()).startsWith("auto:");
      cluster.pauseReplay();

      clerk.write("INSERT INTO notes VALUES (1, 'own')");
      assertThat(clerk.read(ROWS)).isEqualTo("1");
      assertThat(clerk.lastReason()).isEqualTo("fallback:position-unknown");
      try (Connection connection = clerk.writer()) {
        connection.setAutoCommit(false);
        Jdbc.execute(connection, "INSERT INTO notes VALUES (2, 'own')");
        connection.commit();
      }
      assertThat(clerk.read(ROWS)).isEqualTo("2");
    } finally {
      for (String function : functions) {
        cluster.onPrimary("GRANT EXECUTE ON FUNCTION " + function + "() TO public");
      }
    }
  }

  @Test
  void whenTheRightsAreRevokedWhileItRunsNoReadIsStale() throws SQLException {
    try (RecordedDataSource clerk = open(b -> b.user("clerk"))) {
      clerk.write("INSERT INTO notes VALUES (1, 'own')");
      assertThat(clerk.read(ROWS)).isEqualTo("1");
      cluster.onPrimary("REVOKE EXECUTE ON FUNCTION pg_current_wal_insert_lsn() FROM public");
      try {
        try (Connection connection = clerk.writer()) {
          connection.setAutoCommit(false);
          Jdbc.execute(connection, "INSERT INTO notes VALUES (2, 'own')");
          connection.commit(); // happened, although the position may not be read any more
        }
        assertThat(clerk.read(ROWS)).isEqualTo("2");
        assertThat(clerk.lastReason()).isEqualTo("fallback:position-unknown");
      } finally {
        cluster.onPrimary("GRANT EXECUTE ON FUNCTION pg_current_wal_insert_lsn() TO public");
      }
    }
  }

  @Test
  void allScopesOfADataSourceShareItsSession() throws SQLException {
    cluster.pauseReplay();

    try (Connection scoped = source.db().using(Role.PRIMARY).getConnection()) {
      Jdbc.execute(scoped, "INSERT INTO notes VALUES (1, 'own')");
    }

    assertThat(source.read(ROWS)).isEqualTo("1");
    assertThat(source.lastReason()).isEqualTo("fallback:behind");
    assertForcedIsRefused(source);
    try (RouteScope scope = source.db().route(Role.REPLICA)) {
      assertThat(scope.role()).isEqualTo(Role.REPLICA);
      assertThatThrownBy(() -> source.read(ROWS)).hasMessageStartingWith("WM1843");
    }
  }

  @Test
  void whoAsksForEventualConsistencyMayMissAWrite() throws SQLException {
    try (RecordedDataSource eventual =
        open(b -> b.routing(r -> r.consistency(Consistency.EVENTUAL)))) {
      cluster.pauseReplay();

      eventual.write("INSERT INTO notes VALUES (1, 'own')");

      assertThat(eventual.read(ROWS)).isEqualTo("0");
      assertThat(eventual.lastReason()).startsWith("auto:");
    }
  }

  @Test
  void anOrdinaryRoleReadsItsWritesToo() throws SQLException {
    try (RecordedDataSource clerk = open(b -> b.user("clerk"))) {
      clerk.read(ROWS);
      assertThat(clerk.lastReason()).startsWith("auto:");
      cluster.pauseReplay();
      clerk.write("INSERT INTO notes VALUES (1, 'own')");

      assertThat(clerk.read(ROWS)).isEqualTo("1");
      assertThat(clerk.lastReason()).isEqualTo("fallback:behind");
      assertForcedIsRefused(clerk);

      cluster.resumeReplay();
      cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
      try (Connection report = clerk.db().using(Role.REPLICA).getConnection()) {
        assertThat(Jdbc.one(report, ROWS)).isEqualTo("1");
      }
      assertThat(clerk.lastReason()).isEqualTo("constraint:replica");
    }
  }

  @Test
  void aPositionThatCannotBeReadIsNamedAndComesBackWithTheRight() throws SQLException {
    try (RecordedDataSource clerk =
        open(b -> b.user("clerk").routing(r -> r.fallback(Fallback.ERROR)))) {
      cluster.onPrimary("REVOKE EXECUTE ON FUNCTION pg_current_wal_insert_lsn() FROM public");
      try {
        clerk.write("INSERT INTO notes VALUES (1, 'own')");
        assertThatThrownBy(() -> clerk.read(ROWS))
            .hasMessageStartingWith("WM1844")
            .hasMessageContaining("(position-unknown)");
        assertThatThrownBy(
                () -> {
                  try (Connection forced = clerk.db().using(Role.REPLICA).getConnection()) {
                    Jdbc.one(forced, ROWS);
                  }
                })
            .hasMessageStartingWith("WM1843")
            .hasMessageContaining("(position-unknown)");
      } finally {
        cluster.onPrimary("GRANT EXECUTE ON FUNCTION pg_current_wal_insert_lsn() TO public");
      }
      cluster.primary().proxy().reset(); // the monitor introduces itself anew

      await()
          .ignoreExceptionsInstanceOf(SQLException.class)
          .until(() -> clerk.read(ROWS).equals("1") && clerk.lastReason().startsWith("auto:"));
    }
  }

  @Test
  void anIdleWriterBesideDoesNotHoldUpTheReadsOfATransaction() throws SQLException {
    try (Connection beside = cluster.primary().connect()) {
      beside.setAutoCommit(false);
      Jdbc.execute(beside, "INSERT INTO parents VALUES (1)");
      int replicas = 0;
      for (int i = 0; i < 20; i++) {
        try (Connection connection = source.writer()) {
          connection.setAutoCommit(false);
          Jdbc.execute(connection, "INSERT INTO notes VALUES (" + i + ", 'own')");
          Jdbc.execute(beside, "INSERT INTO parents VALUES (" + (i + 2) + ")");
          connection.commit();
        }
        String expected = String.valueOf(i + 1);
        await()
            .atMost(Duration.ofSeconds(3))
            .until(
                () -> {
                  assertThat(source.read(ROWS)).isEqualTo(expected);
                  return source.lastReason().startsWith("auto:");
                });
        replicas++;
      }
      assertThat(replicas).isEqualTo(20);
      beside.rollback();
    }
  }

  @Test
  void noScheduleOfWritesAndPausesLetsAReadMissItsOwnWrite(SeededRandom random)
      throws SQLException {
    System.out.println("schedule: " + random);
    int rows = 0;
    int stale = 0;
    try (Connection reader = source.reader();
        Connection transactions = source.reader()) {
      for (int step = 0; step < 150; step++) {
        PostgresNode replica = cluster.replica(1 + random.nextInt(2));
        switch (random.nextInt(10)) {
          case 0 -> replica.pauseReplay();
          case 1, 2 -> replica.resumeReplay();
          default -> {
            rows++;
            boolean autoCommit = random.nextInt(2) == 0;
            try (Connection writer = source.writer()) {
              writer.setAutoCommit(autoCommit);
              Jdbc.execute(writer, "INSERT INTO notes VALUES (" + rows + ", 'own')");
              if (!autoCommit) {
                writer.commit();
              }
            }
            transactions.setAutoCommit(random.nextInt(2) == 0);
            String expected = String.valueOf(rows);
            stale += Jdbc.one(reader, ROWS).equals(expected) ? 0 : 1;
            stale += Jdbc.one(transactions, ROWS).equals(expected) ? 0 : 1;
            stale += source.read(ROWS).equals(expected) ? 0 : 1;
            transactions.setAutoCommit(true);
          }
        }
      }
    }
    assertThat(stale).as("stale reads").isZero();
  }
}
