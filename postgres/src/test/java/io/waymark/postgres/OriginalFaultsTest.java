package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Role;
import io.waymark.testing.Direction;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What goes wrong under the design that this one was made from, and must not here. The list with
 * all of them, also those that other tests hold, is docs/regressions.md.
 */
class OriginalFaultsTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final String ROWS = "SELECT count(*) FROM notes";
  private static final String INSERT = "INSERT INTO notes VALUES (1, 'own')";

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeEach
  void empty() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static RecordedDataSource open(String probe, Consumer<WaymarkDataSourceBuilder> options)
      throws SQLException {
    return cluster.open(
        b -> {
          b.routing(r -> r.probe(probe));
          options.accept(b);
        });
  }

  /** The primary and the first replica. */
  private static RecordedDataSource oneReplica(
      String probe, Consumer<WaymarkDataSourceBuilder> options) throws SQLException {
    return RecordedDataSource.open(
        WaymarkDataSource.builder()
            .user("postgres")
            .primary(cluster.primary().proxyUrl())
            .replica(cluster.replica(1).proxyUrl()),
        b -> {
          b.routing(r -> r.probe(probe));
          options.accept(b);
        });
  }

  // ---- correctness

  @Test
  void aForcedPrimaryReadWhoseConnectionIsCutIsNotReadFromAReplica() throws SQLException {
    try (RecordedDataSource source = cluster.openQuiet();
        Connection connection = source.db().using(Role.PRIMARY).getConnection()) {
      connection.setReadOnly(true);
      Jdbc.one(connection, "SELECT 1");
      cluster.primary().proxy().cutAfter(Direction.TO_CLIENT, 0);

      assertThatThrownBy(() -> Jdbc.one(connection, "SELECT 2"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));

      assertThat(source.events()).extracting(RouteEvent::endpoint).containsOnly("primary");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MERGE INTO notes USING (VALUES (1)) v (id) ON notes.id = v.id"
            + " WHEN NOT MATCHED THEN INSERT VALUES (v.id, 'merged')",
        "/* a comment */ INSERT INTO notes VALUES (1, 'commented')",
        "-- a comment\n INSERT INTO notes VALUES (1, 'commented')",
        "EXPLAIN ANALYZE INSERT INTO notes VALUES (1, 'explained')",
        "SELECT note(1)",
        "CALL note_and_commit(1)",
        "DO $$ BEGIN INSERT INTO notes VALUES (1, 'done'); END $$",
      })
  void aWriteThatIsNotKnownByItsFirstWordIsSeenBySessionsThatWroteIt(String sql)
      throws SQLException {
    try (RecordedDataSource source = cluster.openQuiet()) {
      cluster.pauseReplay();

      source.write(sql);

      assertThat(source.events()).extracting(RouteEvent::endpoint).containsOnly("primary");
      assertThat(source.read(ROWS)).isEqualTo("1");
    }
  }

  @Test
  void aTableThatASelectMadeIsSeenToo() throws SQLException {
    cluster.onPrimary("DROP TABLE IF EXISTS chosen");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
    try (RecordedDataSource source = cluster.openQuiet()) {
      cluster.pauseReplay();

      source.write("SELECT 7 AS seven INTO chosen");

      assertThat(source.read("SELECT seven FROM chosen")).isEqualTo("7");
    }
  }

  @Test
  void aCommonTableExpressionThatOnlyReadsIsReadFromAReplica() throws SQLException {
    String sql = "WITH x AS (SELECT 1 AS one) SELECT one FROM x";
    try (RecordedDataSource source = cluster.openQuiet();
        Connection forced = source.db().using(Role.REPLICA).getConnection()) {
      assertThat(source.read(sql)).isEqualTo("1");
      assertThat(source.lastReason()).startsWith("auto:");
      assertThat(Jdbc.one(forced, sql)).isEqualTo("1");
    }
  }

  @Test
  void aConnectionThatAnAddressLedElsewhereIsNotBelievedToBeFresh() throws SQLException {
    try (RecordedDataSource source = oneReplica("1m", b -> {})) {
      cluster.replica(2).pauseReplay();
      source.write(INSERT);
      cluster.replica(1).awaitCaughtUp();
      // The monitor stays on the replica that has caught up; whoever connects now gets the other.
      cluster.replica(1).proxy().target("127.0.0.1", cluster.replica(2).port());

      assertThat(source.read(ROWS)).isEqualTo("1");

      assertThat(source.events())
          .extracting(RouteEvent::endpoint)
          .containsExactly("primary", "replica-1", "primary");
    }
  }

  @Test
  void aReplicaWhoseAddressLeadsToOneThatIsBehindIsSeenToBeBehind() throws SQLException {
    try (RecordedDataSource source = oneReplica("200ms", b -> {})) {
      cluster.replica(2).pauseReplay();
      source.write(INSERT);
      cluster.replica(1).awaitCaughtUp();
      assertThat(source.read(ROWS)).isEqualTo("1");
      assertThat(source.lastReason()).isEqualTo("auto:replica-1");
      long before = position(source);

      cluster.replica(1).proxy().target("127.0.0.1", cluster.replica(2).port());
      cluster.replica(1).proxy().reset();

      await().until(() -> !Lsn.reached(position(source), before));
      assertThat(source.read(ROWS)).isEqualTo("1");
      assertThat(source.lastReason()).startsWith("fallback:");
    }
  }

  private static long position(RecordedDataSource source) {
    return Lsn.parse(source.status("replica-1").position().orElseThrow());
  }

  @Test
  void whileThePrimaryIsSilentNoReplicaLooksCaughtUp() throws SQLException {
    try (RecordedDataSource source =
        open(
            "200ms",
            b ->
                b.routing(
                    r ->
                        r.maxLag("1m")
                            .consistency(Consistency.EVENTUAL)
                            .fallback(Fallback.ERROR)))) {
      assertThat(source.read("SELECT 1")).isEqualTo("1");

      cluster.primary().freeze();

      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> source.read("SELECT 1"))
                      .hasMessageStartingWith("WM1844")
                      .hasMessageContaining("(behind)"));
      assertThat(source.status("replica-1").lagBytes()).isEmpty();
      assertThat(source.status("replica-1").lagTime()).isEmpty();
    }
  }

  @Test
  void theFirstRecordAfterAnIdleTimeIsNoOldLag() throws SQLException {
    try (Connection beside = cluster.replica(1).connect();
        RecordedDataSource source =
            open(
                "100ms",
                b ->
                    b.routing(
                        r ->
                            r.maxLag("800ms")
                                .consistency(Consistency.EVENTUAL)
                                .fallback(Fallback.ERROR)))) {
      cluster.onPrimary("INSERT INTO notes VALUES (0, 'long ago')");
      await()
          .until(
              () ->
                  Jdbc.one(
                          beside,
                          "SELECT clock_timestamp() - pg_last_xact_replay_timestamp() > '1 s'")
                      .equals("t"));
      cluster.onPrimary(INSERT);
      cluster.replicas().forEach(PostgresNode::awaitCaughtUp);

      for (int i = 0; i < 20; i++) {
        assertThat(source.read("SELECT 1")).isEqualTo("1");
      }
    }
  }

  @Test
  void aLockThatAFunctionTakesIsTakenOnThePrimary() throws SQLException {
    cluster.onPrimary(
        "CREATE OR REPLACE FUNCTION guarded() RETURNS text LANGUAGE sql AS"
            + " 'SELECT pg_advisory_xact_lock(4711)::text'");
    try (RecordedDataSource source = cluster.openQuiet();
        Connection holder = source.writer();
        Connection beside = cluster.primary().connect()) {
      holder.setAutoCommit(false);
      Jdbc.one(holder, "SELECT guarded()");

      assertThat(Jdbc.one(beside, "SELECT pg_try_advisory_xact_lock(4711)")).isEqualTo("f");
    }
  }

  // ---- waiting and load

  @Test
  void aFullPrimaryPoolHidesNoPosition() throws SQLException {
    try (RecordedDataSource source = open("1m", b -> b.max(1).acquireTimeout("300ms"));
        Connection holder = source.writer()) {
      Jdbc.execute(holder, INSERT); // it keeps the one connection of the primary
      cluster.replicas().forEach(PostgresNode::awaitCaughtUp);

      assertThat(source.read(ROWS)).isEqualTo("1");

      assertThat(source.lastReason()).startsWith("auto:");
    }
  }

  @Test
  void manyReadersBehindLateReplicasShareTheirQuestions() throws Exception {
    long readers = 16;
    long reads = 6;
    try (RecordedDataSource source = cluster.openQuiet()) {
      cluster.pauseReplay();
      source.write(INSERT);
      cluster.replicas().forEach(node -> node.proxy().latency(Duration.ofMillis(10)));
      long before = questions();
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        all.add(
            threads.submit(
                () -> {
                  for (int j = 0; j < reads; j++) {
                    assertThat(source.read(ROWS)).isEqualTo("1");
                  }
                  return null;
                }));
      }
      for (Future<?> reader : all) {
        reader.get();
      }

      // Each on its own would ask both replicas with each read.
      assertThat(questions() - before).isLessThan(readers * reads);
      assertThat(source.db().endpoints())
          .extracting(EndpointStatus::connections)
          .as("asked on the monitors' connections")
          .containsOnly(0);
      assertThat(source.events()).extracting(RouteEvent::endpoint).containsOnly("primary");
    }
  }

  private static long questions() {
    return cluster.replicas().stream().mapToLong(node -> node.wire().requests()).sum();
  }

  @Test
  void aReplicaWhosePoolIsFullIsNotTakenForDead() throws SQLException {
    try (RecordedDataSource source = oneReplica("100ms", b -> b.max(1));
        Connection holder = source.db().using(Role.REPLICA).getConnection()) {
      Jdbc.one(holder, "SELECT 1");
      Future<String> queued =
          threads.submit(
              () -> {
                try (Connection forced = source.db().using(Role.REPLICA).getConnection()) {
                  return Jdbc.one(forced, "SELECT 1");
                }
              });
      long before = cluster.replica(1).wire().requests();

      await().until(() -> cluster.replica(1).wire().requests() > before + 8);

      assertThat(queued.isDone()).isFalse();
      assertThat(source.status("replica-1").circuit()).isEqualTo("closed");
    }
  }

  @Test
  void aReplicaThatWasDownAtTheStartServesWhoHasWritten() throws SQLException {
    cluster.replica(1).stop();
    try (RecordedDataSource source = oneReplica("200ms", b -> {})) {
      source.write(INSERT);
      assertThat(source.read(ROWS)).isEqualTo("1");
      assertThat(source.lastReason()).isEqualTo("fallback:unhealthy");

      cluster.replica(1).start();

      await()
          .until(
              () -> {
                assertThat(source.read(ROWS)).isEqualTo("1");
                return source.lastReason().equals("auto:replica-1");
              });
    }
  }

  @Test
  void aFailureNowAndThenDoesNotOpenTheCircuit() throws SQLException {
    try (RecordedDataSource source = cluster.openQuiet()) {
      int reads = 0;
      for (int round = 0; round < 4; round++) {
        cluster.replica(1).proxy().cutAfter(Direction.TO_CLIENT, 0);
        for (int i = 0; i < 4; i++, reads++) {
          assertThat(source.read("SELECT 1")).isEqualTo("1");
        }
      }

      assertThat(source.events()).as("some were sent again").hasSizeGreaterThan(reads);
      assertThat(source.status("replica-1").circuit()).isEqualTo("closed");
    }
  }

  @Test
  void theTimeThatACallerQueuesIsNoLatencyOfTheServer() throws Exception {
    try (RecordedDataSource source = oneReplica("1m", b -> b.max(1))) {
      Future<?> queued;
      try (Connection holder = source.db().using(Role.REPLICA).getConnection()) {
        Jdbc.one(holder, "SELECT 1");
        Future<?> waiting =
            threads.submit(
                () -> {
                  try (Connection forced = source.db().using(Role.REPLICA).getConnection()) {
                    return Jdbc.one(forced, "SELECT 1");
                  }
                });
        await().during(Duration.ofMillis(1_200)).until(() -> !waiting.isDone());
        queued = waiting;
      }
      queued.get(10, TimeUnit.SECONDS);

      // A fifth of what it queued would be 240 ms.
      assertThat(source.status("replica-1").latency().orElseThrow())
          .isLessThan(Duration.ofMillis(120));
    }
  }

  // ---- what is sent again

  @Test
  void aReadInPortionsIsCountedAndSentAgainLikeAnyOther() throws Exception {
    try (RecordedDataSource source = cluster.openQuiet()) {
      Future<Integer> slow =
          threads.submit(
              () ->
                  portions(
                      source, "SELECT n, pg_sleep(0.4) FROM generate_series(1, 3) n", () -> {}));
      await()
          .until(() -> source.db().endpoints().stream().anyMatch(status -> status.inFlight() == 1));
      assertThat(slow.get(20, TimeUnit.SECONDS)).isEqualTo(3);

      int before = source.events().size();
      cluster.replicas().get(0).proxy().cutAfter(Direction.TO_CLIENT, 0);
      for (int i = 0; i < 2; i++) {
        assertThat(portions(source, "SELECT generate_series(1, 30)", () -> {})).isEqualTo(30);
      }
      assertThat(source.events()).as("one was sent again").hasSize(before + 3);

      assertThatThrownBy(() -> portions(source, "SELECT generate_series(1, 30)", source::close))
          .isInstanceOf(SQLException.class);
    }
  }

  /** Reads all rows, a few at a time, and does something after the first. */
  private static int portions(RecordedDataSource source, String sql, Runnable afterTheFirst)
      throws SQLException {
    try (Connection connection = source.reader();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(1);
      int rows = 0;
      try (ResultSet result = statement.executeQuery(sql)) {
        while (result.next()) {
          if (rows++ == 0) {
            afterTheFirst.run();
          }
        }
      }
      connection.commit();
      return rows;
    }
  }

  @Test
  void aReadOnASessionThatTheServerEndedForIdlingIsSentAgain() throws SQLException {
    cluster.onPrimary("ALTER ROLE clerk SET idle_session_timeout = '700ms'");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
    try (RecordedDataSource source = open("100ms", b -> b.user("clerk"));
        Connection connection = source.reader()) {
      String backend = Jdbc.backend(connection);
      await().until(() -> isGone(backend));

      assertThat(Jdbc.one(connection, "SELECT 1")).isEqualTo("1");

      assertThat(source.db().endpoints())
          .extracting(EndpointStatus::circuit)
          .as("that it ended a session says nothing against the server")
          .containsOnly("closed");
      assertThat(source.read("SELECT 1")).isEqualTo("1");
    } finally {
      cluster.onPrimary("ALTER ROLE clerk RESET idle_session_timeout");
    }
  }

  private static boolean isGone(String backend) throws SQLException {
    String[] portAndPid = backend.split("/", -1);
    for (PostgresNode node : cluster.replicas()) {
      if (node.port() == Integer.parseInt(portAndPid[0])) {
        try (Connection beside = node.connect()) {
          return Jdbc.one(
                  beside, "SELECT count(*) FROM pg_stat_activity WHERE pid = " + portAndPid[1])
              .equals("0");
        }
      }
    }
    throw new AssertionError("no replica has " + backend);
  }
}
