package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Role;
import io.waymark.testing.Direction;
import io.waymark.testing.FreePort;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.util.ByteBufferByteStreamWriter;

/** What callers notice when servers die, hang, refuse or are not what they seem. */
class FailureTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final Duration A_READ = Duration.ofSeconds(1);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private RecordedDataSource source;

  @BeforeEach
  void open() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
    source = cluster.open(b -> b.routing(r -> r.probe("200ms")));
  }

  @AfterEach
  void close() {
    source.close();
    threads.shutdownNow();
  }

  /** Reads, none of which may fail or take long; how many each endpoint served. */
  private Map<String, Integer> reads(int count) throws SQLException {
    Map<String, Integer> served = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      long started = System.nanoTime();
      assertThat(source.read("SELECT 1")).isEqualTo("1");
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(A_READ);
      served.merge(source.lastEvent().endpoint(), 1, Integer::sum);
    }
    return served;
  }

  // ---- dead replicas

  @Test
  void readsThatNeedEvidenceGoToARestartedReplicaAgain() throws SQLException {
    source.write("INSERT INTO notes VALUES (1, 'a')");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
    await().until(() -> reads(4).containsKey("replica-1"));

    cluster.replica(1).restart();
    cluster.replica(1).awaitStreaming(cluster.primary()).awaitCaughtUp();

    // So often that the pool does not test the connections that it still has to the old one.
    await()
        .pollInterval(Duration.ofMillis(50))
        .atMost(Duration.ofSeconds(30))
        .until(() -> reads(1).containsKey("replica-1"));
  }

  @Test
  void aKilledReplicaCostsNobodyAReadAndServesAgainWhenItIsBack() throws SQLException {
    reads(4);

    cluster.replica(1).kill();

    assertThat(reads(100)).doesNotContainKey("primary");
    await().until(() -> source.status("replica-1").circuit().startsWith("open"));
    assertThat(source.status("replica-1").ineligible()).contains("circuit open");
    assertThat(reads(10)).containsOnlyKeys("replica-2");

    cluster.replica(1).start();
    await().until(() -> source.status("replica-1").ineligible().isEmpty());
    await().until(() -> reads(4).containsKey("replica-1"));
    await()
        .until(
            () -> {
              reads(1);
              return source.status("replica-1").circuit().equals("closed");
            });
    assertThat(reads(10)).containsEntry("replica-1", 5).containsEntry("replica-2", 5);
  }

  @Test
  void afterOneBrokenConnectionTheReplicaIsAskedAtOnceWhetherItIsThere() throws SQLException {
    try (RecordedDataSource quiet = cluster.openQuiet()) {
      for (int i = 0; i < 4; i++) {
        quiet.read("SELECT 1");
      }
      cluster.replica(1).kill();

      quiet.read("SELECT 1");
      quiet.read("SELECT 1");

      await().until(() -> quiet.status("replica-1").circuit().startsWith("open"));
    }
  }

  @Test
  void whenAllReplicasAreDeadThePrimaryReads() throws SQLException {
    reads(4);

    cluster.replicas().forEach(PostgresNode::kill);

    reads(20);
    await()
        .until(
            () -> {
              reads(1);
              return source.lastReason().equals("fallback:unhealthy");
            });
    assertForcedIsRefused("(unhealthy)");
  }

  private void assertForcedIsRefused(String why) {
    assertThatThrownBy(
            () -> {
              try (Connection forced = source.db().using(Role.REPLICA).getConnection()) {
                Jdbc.one(forced, "SELECT 1");
              }
            })
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1843))
        .hasMessageContaining(why);
  }

  @Test
  void whenMoreThanTwoReplicasDieAtOnceThePrimaryReadsToo() throws SQLException {
    try (RecordedDataSource many =
        RecordedDataSource.open(
            WaymarkDataSource.builder()
                .user("postgres")
                .primary(cluster.primary().proxyUrl())
                .replica(cluster.replica(1).proxyUrl())
                .replica(cluster.replica(1).url())
                .replica(cluster.replica(2).proxyUrl())
                .replica(cluster.replica(2).url()),
            b -> b.routing(r -> r.probe("1m")))) {
      for (int i = 0; i < 8; i++) {
        many.read("SELECT 1");
      }
      cluster.replicas().forEach(PostgresNode::kill);

      assertThat(many.read("SELECT 1")).isEqualTo("1");
      assertThat(many.lastEvent().endpoint()).isEqualTo("primary");
    }
  }

  @Test
  void aReplicaThatIsStoppedInOrderCostsNobodyARead() throws Exception {
    reads(4);
    Future<?> stopping = threads.submit(() -> cluster.replica(1).stop());
    do {
      reads(5);
    } while (!stopping.isDone());
    stopping.get();

    assertThat(reads(10)).doesNotContainKey("primary");
  }

  @Test
  void whenAllReplicasAreDeadAndThereIsNoFallbackNothingIsReadFromThePrimary() throws SQLException {
    try (RecordedDataSource strict =
        cluster.open(b -> b.routing(r -> r.probe("100ms").fallback(Fallback.ERROR)))) {
      assertThat(strict.read("SELECT 1")).isEqualTo("1");
      cluster.replicas().forEach(PostgresNode::kill);

      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> strict.read("SELECT 1"))
                      .isInstanceOfSatisfying(
                          SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1844))
                      .hasMessageContaining("(unhealthy)")
                      .hasMessageContaining("replica-1: circuit open"));
      assertThat(strict.events()).extracting(RouteEvent::endpoint).doesNotContain("primary");
    }
  }

  @Test
  void aFailedReadGoesToTheNextInTurn() throws SQLException {
    try (RecordedDataSource three =
        RecordedDataSource.open(
            WaymarkDataSource.builder()
                .user("postgres")
                .primary(cluster.primary().proxyUrl())
                .replica(r -> r.url(cluster.replica(1).url()).name("a"))
                .replica(r -> r.url(cluster.replica(1).proxyUrl()).name("b"))
                .replica(r -> r.url(cluster.replica(2).url()).name("c")),
            b -> b.routing(r -> r.probe("1m").select(Select.ROUND_ROBIN)))) {
      three.read("SELECT 1");
      cluster.replica(1).proxy().refuse();
      cluster.replica(1).proxy().reset();

      three.read("SELECT 1");

      assertThat(three.events())
          .extracting(RouteEvent::reason)
          .containsExactly("auto:a", "auto:b", "auto:c");
    }
  }

  @Test
  void aForcedReadOnADeadReplicaFailsAndThePrimaryIsNotTouched() throws SQLException {
    source.close(); // its probes would be counted
    try (RecordedDataSource lone =
        RecordedDataSource.open(
            WaymarkDataSource.builder()
                .user("postgres")
                .primary(cluster.primary().proxyUrl())
                .replica(cluster.replica(1).proxyUrl()),
            b -> b.routing(r -> r.probe("1m")))) {
      cluster.replica(1).kill();
      long before = cluster.primary().wire().requests();

      assertThatThrownBy(
              () -> {
                try (Connection forced = lone.db().using(Role.REPLICA).getConnection()) {
                  Jdbc.one(forced, "SELECT 1");
                }
              })
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));

      assertThat(cluster.primary().wire().requests()).isEqualTo(before);
      assertThat(lone.events()).extracting(RouteEvent::endpoint).containsOnly("replica-1");
    }
  }

  @Test
  void aDataSourceConnectsWithoutAReplicaAndUsesItOnceItIsThere() throws SQLException {
    cluster.replica(1).stop();

    try (RecordedDataSource late = cluster.open(b -> b.routing(r -> r.probe("200ms")))) {
      late.read("SELECT 1");
      assertThat(late.lastEvent().endpoint()).isEqualTo("replica-2");

      cluster.replica(1).start();

      await()
          .until(
              () -> {
                late.read("SELECT 1");
                return late.lastEvent().endpoint().equals("replica-1");
              });
    }
  }

  @Test
  void aBlackHoleHoldsUpNobodyOnceTheCircuitIsOpen() throws Exception {
    reads(4);
    cluster.replica(1).proxy().blackHole();
    await().until(() -> source.status("replica-1").circuit().startsWith("open"));

    assertThat(reads(10)).containsOnlyKeys("replica-2");
  }

  @Test
  void aReadThatFellIntoABlackHoleIsSentElsewhereAndALongOneOnALiveServerGoesOn() throws Exception {
    reads(4);
    Future<String> longOne = threads.submit(() -> sleeping(2, 6));
    await().until(() -> running("pg_sleep") == 1); // two that look for their replicas could chase
    Future<String> lost = threads.submit(() -> sleeping(1, 1)); // each other round the rotation
    await().until(() -> running("pg_sleep") == 2);

    cluster.replica(1).proxy().blackHole();
    long started = System.nanoTime();

    assertThat(lost.get(20, TimeUnit.SECONDS)).isEqualTo("replica-2");
    // Two intervals, a probe's timeout, and what a busy machine takes.
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(4));
    assertThat(longOne.get(20, TimeUnit.SECONDS)).isEqualTo("replica-2");
  }

  /** Begins to sleep on this replica and says which one it woke up on. */
  private String sleeping(int replica, double seconds) throws SQLException {
    try (Connection connection = source.reader()) {
      while (Jdbc.port(connection) != cluster.replica(replica).port()) {
        connection.setReadOnly(false); // lets go of the replica that it is not
        Jdbc.one(connection, "SELECT 1");
        connection.setReadOnly(true);
      }
      int port =
          Integer.parseInt(
              Jdbc.one(connection, "SELECT inet_server_port() FROM pg_sleep(" + seconds + ")"));
      return port == cluster.replica(1).port() ? "replica-1" : "replica-2";
    }
  }

  // ---- the primary

  @Test
  void withoutAPrimaryThereIsNoDataSourceAndNothingIsLeft() throws SQLException {
    source.close();
    cluster.primary().proxy().refuse();
    Set<Thread> before = ourThreads(); // data sources behind driver URLs live until they are idle

    assertThatThrownBy(() -> cluster.open(b -> {}))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("primary")
        .hasMessageNotContaining("postgres@");

    Set<Thread> left = ourThreads();
    left.removeAll(before);
    assertThat(left).isEmpty();
  }

  private static Set<Thread> ourThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .filter(thread -> isOurs(thread.getName()))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static boolean isOurs(String thread) {
    return (thread.startsWith("waymark-") || thread.contains("Hikari"))
        && !thread.startsWith("waymark-proxy-");
  }

  @Test
  void aWriteIsNeverSentTwice() throws SQLException {
    source.close(); // its probes would be counted, or cut
    // So long that no question of the monitor, which asks at once, could be taken for it.
    String text = "x".repeat(100_000);
    try (RecordedDataSource quiet = cluster.openQuiet();
        Connection connection = quiet.writer()) {
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'first')");
      long before = cluster.primary().wire().bytesToServer();
      cluster.primary().proxy().cutAfter(Direction.TO_CLIENT, 0);

      assertThatThrownBy(
              () -> Jdbc.execute(connection, "INSERT INTO notes VALUES (2, '" + text + "')"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));

      assertThat(cluster.primary().wire().bytesToServer() - before)
          .isBetween((long) text.length(), 2L * text.length() - 1);
    }
    assertThat(rowsOnThePrimary()).isEqualTo("2");
  }

  private static String rowsOnThePrimary() throws SQLException {
    try (Connection beside = cluster.primary().connect()) {
      return Jdbc.one(beside, "SELECT count(*) FROM notes");
    }
  }

  @Test
  void aWriteThatWasCutMayHaveHappenedAndIsReadBack() throws SQLException {
    source.close(); // its probes would be counted, or cut
    try (RecordedDataSource quiet = cluster.openQuiet()) {
      quiet.read("SELECT 1");
      cluster.pauseReplay();
      try (Connection connection = quiet.writer()) {
        Jdbc.one(connection, "SELECT 1");
        cluster.primary().proxy().cutAfter(Direction.TO_CLIENT, 0);
        assertThatThrownBy(() -> Jdbc.execute(connection, "INSERT INTO notes VALUES (2, 'cut')"))
            .isInstanceOf(SQLException.class);
      }

      assertThat(quiet.read("SELECT count(*) FROM notes")).isEqualTo("1");
    }
  }

  @Test
  void aReadWhoseConnectionIsCutIsSentToAnotherReplica() throws SQLException {
    source.close(); // its probes would be cut
    try (RecordedDataSource quiet = cluster.openQuiet();
        Connection connection = quiet.reader()) {
      Jdbc.one(connection, "SELECT 1");
      cluster.replica(1).proxy().cutAfter(Direction.TO_CLIENT, 0);

      assertThat(Jdbc.port(connection)).isEqualTo(cluster.replica(2).port());
    }
  }

  private interface Parameter {
    void on(PreparedStatement statement) throws SQLException;
  }

  private static final byte[] BYTES = {1, 2, 3};

  @Test
  void aReadWithAParameterThatCanBeReadOnceIsNotSentAgain() throws SQLException {
    source.close(); // its probes would be cut
    List<Parameter> once =
        List.of(
            on -> on.setBinaryStream(1, new ByteArrayInputStream(BYTES)),
            on -> on.setObject(1, new ByteBufferByteStreamWriter(ByteBuffer.wrap(BYTES))));
    for (Parameter parameter : once) {
      assertThatThrownBy(() -> lengthOverACutConnection(parameter))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));
    }
    Parameter clearedFirst =
        on -> {
          on.setBinaryStream(1, new ByteArrayInputStream(BYTES));
          on.clearParameters();
          on.setBytes(1, BYTES);
        };
    assertThat(lengthOverACutConnection(clearedFirst)).isEqualTo(BYTES.length);
  }

  private static int lengthOverACutConnection(Parameter parameter) throws SQLException {
    try (RecordedDataSource quiet = cluster.openQuiet();
        Connection connection = quiet.reader()) {
      Jdbc.one(connection, "SELECT 1");
      cluster.replica(1).proxy().cutAfter(Direction.TO_CLIENT, 0);
      try (PreparedStatement statement = connection.prepareStatement("SELECT length(?::bytea)")) {
        parameter.on(statement);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          return row.getInt(1);
        }
      }
    }
  }

  @Test
  void inTheMiddleOfATransactionNothingIsSentAgain() throws SQLException {
    source.close(); // its probes would be cut
    try (RecordedDataSource quiet = cluster.openQuiet();
        Connection connection = quiet.reader()) {
      connection.setAutoCommit(false);
      Jdbc.one(connection, "SELECT 1");
      cluster.replica(1).proxy().cutAfter(Direction.TO_CLIENT, 0);

      assertThatThrownBy(() -> Jdbc.one(connection, "SELECT 2"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));
    }
  }

  // ---- recovery conflicts

  @Test
  void aReadThatAStandbyCancelsToReplayIsSentElsewhere() throws Exception {
    for (int i = 0; i < 50; i++) {
      cluster.onPrimary("INSERT INTO notes VALUES (" + i + ", 'conflict')");
    }
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
    Future<String> read =
        threads.submit(() -> source.read("SELECT count(*) FROM notes, pg_sleep(3) WHERE id >= 0"));
    await().until(() -> running("pg_sleep(3)") > 0);

    cluster.onPrimary("TRUNCATE notes");

    // On the first replica it is cancelled when its lock is in the way of the replay for longer
    // than the standby's patience; where it is sent then, the table is empty.
    assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo("0");
    assertThat(source.events()).hasSizeGreaterThan(1);
  }

  private static long running(String what) throws SQLException {
    long running = 0;
    for (PostgresNode node : cluster.replicas()) {
      try (Connection beside = node.connect()) {
        running +=
            Long.parseLong(
                Jdbc.one(
                    beside,
                    "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%"
                        + what
                        + "%' AND pid <> pg_backend_pid() AND state <> 'idle'"));
      }
    }
    return running;
  }

  @Test
  void anIdleTransactionThatAStandbyKillsFailsAndItsConnectionIsNotUsedAgain() throws Exception {
    cluster.onPrimary("INSERT INTO notes VALUES (1, 'conflict')");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
    try (Connection connection = source.reader()) {
      connection.setAutoCommit(false);
      assertThat(Jdbc.one(connection, "SELECT count(*) FROM notes")).isEqualTo("1");
      cluster.onPrimary("TRUNCATE notes");
      cluster.replicas().forEach(PostgresNode::awaitCaughtUp);

      assertThatThrownBy(() -> Jdbc.one(connection, "SELECT count(*) FROM notes"))
          .isInstanceOf(SQLException.class);
    }
    assertThat(reads(10)).containsOnlyKeys("replica-1", "replica-2");
  }

  // ---- full pools

  @Test
  void aFullReplicaIsPassedOverAndAForcedReadQueues() throws Exception {
    try (RecordedDataSource small =
        cluster.open(b -> b.max(2).acquireTimeout("700ms").routing(r -> r.probe("1m")))) {
      List<Connection> held = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Connection connection = small.db().using(Role.REPLICA).getConnection();
        Jdbc.one(connection, "SELECT 1");
        held.add(connection);
      }
      List<Future<String>> queued = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        queued.add(
            threads.submit(
                () -> {
                  try (Connection forced = small.db().using(Role.REPLICA).getConnection()) {
                    return Jdbc.one(forced, "SELECT 'served'");
                  } catch (SQLException e) {
                    return e.getMessage();
                  }
                }));
        // One queues at each replica: the next goes where nobody queues yet.
      }
      await()
          .until(
              () ->
                  small
                      .db()
                      .inspect(io.waymark.core.Operation.READ)
                      .reason()
                      .equals("fallback:saturated"));
      assertThat(small.read("SELECT 1")).isEqualTo("1");
      assertThat(small.lastReason()).isEqualTo("fallback:saturated");
      for (Future<String> forced : queued) {
        assertThat(forced.get()).startsWith("WM1846");
      }
      for (Connection connection : held) {
        connection.close();
      }
      assertThat(small.read("SELECT 1")).isEqualTo("1");
      assertThat(small.lastReason()).startsWith("auto:");
    }
  }

  // ---- servers that are not what they seem

  @Test
  void aPrimaryThatIsConfiguredAsAReplicaServesNoReads() throws SQLException {
    try (RecordedDataSource wrong =
        RecordedDataSource.open(
            WaymarkDataSource.builder()
                .user("postgres")
                .primary(cluster.primary().proxyUrl())
                .replica(cluster.primary().url()),
            b -> {})) {
      wrong.read("SELECT 1");

      assertThat(wrong.lastReason()).isEqualTo("fallback:unhealthy");
      assertThat(wrong.status("replica-1").ineligible()).contains("not a standby");
    }
  }

  @Test
  void aReplicaOfAnotherClusterServesNoReads() throws SQLException {
    try (PostgresCluster other = PostgresCluster.builder().replicas(1).proxied(false).start();
        RecordedDataSource wrong =
            RecordedDataSource.open(
                WaymarkDataSource.builder()
                    .user("postgres")
                    .primary(cluster.primary().proxyUrl())
                    .replica(other.replica(1).url())
                    .replica(cluster.replica(1).proxyUrl()),
                b -> b.routing(r -> r.probe("200ms")))) {
      await().until(() -> wrong.status("replica-1").ineligible().isPresent());
      assertThat(wrong.status("replica-1").ineligible()).contains("another cluster");
      for (int i = 0; i < 4; i++) {
        wrong.read("SELECT 1");
        assertThat(wrong.lastEvent().endpoint()).isEqualTo("replica-2");
      }
    }
  }

  @Test
  void aPrimaryThatIsAStandbyTakesNoWrites() throws SQLException {
    try (RecordedDataSource wrong =
        RecordedDataSource.open(
            WaymarkDataSource.builder()
                .user("postgres")
                .primary(cluster.replica(1).proxyUrl())
                .replica(cluster.replica(2).proxyUrl()),
            b -> b.acquireTimeout("500ms"))) {
      assertThatThrownBy(() -> wrong.write("INSERT INTO notes VALUES (1, 'never')"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1849))
          .hasMessageContaining("standby");
      try (Connection forced = wrong.db().using(Role.PRIMARY).getConnection()) {
        forced.setReadOnly(true);
        assertThatThrownBy(() -> Jdbc.one(forced, "SELECT 1"))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1849));
      }
    }
  }

  @Test
  void aServerThatIsSlowToConnectAfterItWasAwayIsNotDead() throws SQLException {
    try (RecordedDataSource quiet =
        RecordedDataSource.open(
            WaymarkDataSource.builder()
                .user("postgres")
                .primary(cluster.primary().proxyUrl())
                .replica(cluster.replica(1).proxyUrl()),
            b -> b.routing(r -> r.probe("1m")))) {
      cluster.replica(1).proxy().refuse();
      quiet.read("SELECT 1");
      assertThat(quiet.lastEvent().endpoint()).isEqualTo("primary");
      cluster.replica(1).proxy().accept();
      cluster.replica(1).proxy().latency(Duration.ofMillis(60));

      quiet.read("SELECT 1");

      assertThat(quiet.lastEvent().endpoint()).isEqualTo("replica-1");
    }
  }

  @Test
  void aRefusedReplicaPortIsRefusedNotWaitedFor() throws SQLException {
    try (FreePort nobody = FreePort.find();
        RecordedDataSource late =
            RecordedDataSource.open(
                WaymarkDataSource.builder()
                    .user("postgres")
                    .primary(cluster.primary().proxyUrl())
                    .replica("jdbc:postgresql://127.0.0.1:" + nobody.number() + "/postgres"),
                b -> b.routing(r -> r.probe("200ms")))) {
      long started = System.nanoTime();
      assertThat(late.read("SELECT 1")).isEqualTo("1");
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(A_READ);
      assertThat(late.lastReason()).isEqualTo("fallback:unhealthy");
    }
  }
}
