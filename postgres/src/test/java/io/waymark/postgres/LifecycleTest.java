package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import io.waymark.core.Operation;
import io.waymark.core.OptionException;
import io.waymark.core.Role;
import io.waymark.testing.Direction;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a data source opens, what it closes, and in which order. */
class LifecycleTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  /** Starting threads and sockets on a machine that is busy with other things. */
  private static final Duration SLACK = Duration.ofSeconds(2);

  private static Set<Thread> threads() {
    return new HashSet<>(Thread.getAllStackTraces().keySet());
  }

  /** The threads of before are gone from these. */
  private static Set<Thread> startedSince(Set<Thread> before) {
    Set<Thread> now = threads();
    now.removeAll(before);
    return now;
  }

  // ---- opening

  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake("a name that is used twice", b -> b.replica(r -> r.url(url()).name("replica-1"))),
        mistake("the primary's name", b -> b.replica(r -> r.url(url()).name("primary"))),
        mistake(
            "weights without a total",
            b ->
                b.replica(r -> r.url(url()).weight(Double.MAX_VALUE))
                    .replica(r -> r.url(url()).weight(Double.MAX_VALUE))),
        mistake("a lone endpoint too", b -> b.single(url())),
        mistake("an unknown fallback", b -> b.properties(Map.of("routing.fallback", "nobody"))),
        mistake("an unknown key", b -> b.properties(Map.of("routing.fallbakc", "primary"))),
        mistake("a weight of 0", b -> b.properties(Map.of("replicas[0].weight", "0"))),
        mistake("a property of routing", b -> b.property("targetServerType", "any")),
        mistake("a pool of another size", b -> b.pool(c -> c.setMaximumPoolSize(3))),
        mistake("a pool whose sessions are read-only", b -> b.pool(c -> c.setReadOnly(true))));
  }

  private static Arguments mistake(String name, Consumer<WaymarkDataSourceBuilder> make) {
    return Arguments.argumentSet(name, make);
  }

  private static String url() {
    return cluster.replica(1).proxyUrl();
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void nothingIsOpenedBeforeEverythingWasChecked(Consumer<WaymarkDataSourceBuilder> mistake) {
    long connections = cluster.connectionsOpened();
    Set<Thread> before = threads();

    assertThatThrownBy(
            () -> {
              WaymarkDataSourceBuilder builder = cluster.builder();
              mistake.accept(builder);
              builder.connect().close();
            })
        .isInstanceOf(OptionException.class)
        .hasMessageStartingWith("WM1120");

    assertThat(cluster.connectionsOpened()).isEqualTo(connections);
    assertThat(startedSince(before)).noneMatch(thread -> thread.getName().startsWith("waymark-"));
  }

  @Test
  void aReplicaThatDoesNotAnswerHoldsUpConnectingForItsTimeoutAndNoLonger() throws SQLException {
    cluster.replicas().forEach(node -> node.proxy().blackHole());
    long started = System.nanoTime();

    try (RecordedDataSource source =
        cluster.open(b -> b.connectTimeout("1s").routing(r -> r.probe("1m")))) {
      assertThat(Duration.ofNanos(System.nanoTime() - started))
          .as("both wait at the same time")
          .isBetween(Duration.ofMillis(900), Duration.ofSeconds(1).plus(SLACK));
      assertThat(source.read("SELECT 1")).isEqualTo("1");
      assertThat(source.lastReason()).isEqualTo("fallback:unhealthy");
    }
  }

  @Test
  void aPrimaryThatDoesNotAnswerInTimeCannotBeReached() {
    cluster.primary().proxy().blackHole();
    long started = System.nanoTime();

    assertThatThrownBy(() -> cluster.builder().connectTimeout("1s").connect())
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08001"))
        .hasMessageStartingWith("endpoint primary cannot be reached");

    assertThat(Duration.ofNanos(System.nanoTime() - started))
        .isBetween(Duration.ofMillis(900), Duration.ofSeconds(1).plus(SLACK));
  }

  // ---- running

  @Test
  void allThreadsAreDaemonsWithTellingNames() throws SQLException {
    Set<Thread> before = threads();
    try (RecordedDataSource source = cluster.open(b -> b.routing(r -> r.probe("100ms")))) {
      source.write("SELECT 1");
      for (int i = 0; i < 4; i++) {
        source.read("SELECT 1");
      }
      try (Connection reader = source.db().using(Role.PRIMARY).getConnection()) {
        reader.setReadOnly(true);
        Jdbc.one(reader, "SELECT 1");
      }

      assertThat(startedSince(before))
          .filteredOn(thread -> !isOfOthers(thread.getName()))
          .allMatch(Thread::isDaemon)
          .allMatch(thread -> thread.getName().startsWith("waymark-"))
          .extracting(Thread::getName)
          .contains(
              "waymark-monitor-primary",
              "waymark-monitor-replica-1",
              "waymark-monitor-replica-2",
              "waymark-pool-housekeeper");
    }
    await()
        .untilAsserted(
            () -> assertThat(startedSince(before)).noneMatch(thread -> isOurs(thread.getName())));
  }

  /** Of the driver, of the virtual machine, and of the proxies, which are not ours to name. */
  private static boolean isOfOthers(String thread) {
    return thread.startsWith("PostgreSQL-JDBC")
        || thread.startsWith("waymark-proxy-")
        || !(thread.startsWith("waymark") || thread.contains("ikari") || thread.contains("ool"));
  }

  private static boolean isOurs(String thread) {
    return thread.startsWith("waymark-") && !thread.startsWith("waymark-proxy-");
  }

  // ---- closing

  @Test
  void poolsAreClosedInTheReverseOfTheOrderOfConfigurationAndOnce() throws SQLException {
    List<String> closed = new CopyOnWriteArrayList<>();
    RecordedDataSource source =
        cluster.open(
            b ->
                b.routing(r -> r.probe("1m"))
                    .pool(config -> config.setMetricsTrackerFactory((p, s) -> told(p, closed))));
    try (source) {
      source.write("SELECT 1");
      for (int i = 0; i < 4; i++) {
        source.read("SELECT 1");
      }
      try (Connection reader = source.db().using(Role.PRIMARY).getConnection()) {
        reader.setReadOnly(true);
        Jdbc.one(reader, "SELECT 1");
      }
    }

    source.close();

    assertThat(closed)
        .containsExactly(
            "waymark-replica-2",
            "waymark-replica-1",
            "waymark-primary-read-only",
            "waymark-primary");
  }

  private static IMetricsTracker told(String pool, List<String> closed) {
    return new IMetricsTracker() {
      @Override
      public void close() {
        closed.add(pool);
      }
    };
  }

  @Test
  void whoWaitsForEvidenceLearnsThatTheDataSourceIsClosed() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    RecordedDataSource source = cluster.open(b -> b.routing(r -> r.probe("30s")));
    long started;
    Future<String> waiting;
    try (source) {
      source.write("SELECT nextval('numbers')");
      cluster.primary().proxy().blackHole(Direction.TO_CLIENT);
      long before = cluster.primary().wire().requests();
      waiting = thread.submit(() -> source.read("SELECT 1"));
      await().until(() -> cluster.primary().wire().requests() > before);
      started = System.nanoTime();
    } finally {
      thread.shutdown();
    }

    assertThat(Duration.ofNanos(System.nanoTime() - started))
        .as("no pool is asked for a connection any more")
        .isLessThan(SLACK);
    assertThatThrownBy(() -> waiting.get(5, TimeUnit.SECONDS))
        .cause()
        .hasMessageStartingWith("WM1848");
  }

  // ---- a data source of the caller's

  @Test
  void aDataSourceOfTheCallersIsHandedThroughNeitherProbedNorClosed() throws SQLException {
    cluster.onPrimary("TRUNCATE notes");
    HikariConfig own = new HikariConfig();
    own.setJdbcUrl(cluster.primary().proxyUrl());
    own.setUsername("postgres");
    own.setPoolName("the-callers");
    own.setMinimumIdle(0);
    own.setInitializationFailTimeout(-1);
    try (HikariDataSource callers = new HikariDataSource(own)) {
      long before = cluster.connectionsOpened();
      try (RecordedDataSource lone =
          RecordedDataSource.open(WaymarkDataSource.builder().single(callers), b -> {})) {
        assertThat(cluster.connectionsOpened()).as("nothing is watched").isEqualTo(before);

        lone.write("INSERT INTO notes VALUES (1, 'a')");
        assertThat(lone.read("SELECT title FROM notes")).isEqualTo("a");
        assertThat(lone.lastReason()).isEqualTo("single-endpoint");
        assertThat(lone.db().inspect(Operation.READ).reason()).isEqualTo("single-endpoint");
        try (Connection connection = lone.db().getConnection()) {
          assertThat(connection.getClass().getName()).startsWith("com.zaxxer.hikari");
        }
        assertThatThrownBy(() -> lone.db().using(Role.REPLICA)).isInstanceOf(OptionException.class);
        assertThat(callers.getHikariPoolMXBean().getActiveConnections()).isZero();
      }

      assertThat(callers.isClosed()).isFalse();
      try (Connection connection = callers.getConnection()) {
        assertThat(Jdbc.one(connection, "SELECT title FROM notes")).isEqualTo("a");
      }
    }
  }

  @Test
  void aDataSourceThatIsClosedTwiceIsClosed() throws SQLException {
    RecordedDataSource source = cluster.openQuiet();
    source.read("SELECT 1");
    DataSource scoped = source.db().using(Role.REPLICA);

    source.close();
    source.close();

    assertThatThrownBy(source::reader).hasMessageStartingWith("WM1848");
    assertThatThrownBy(scoped::getConnection).hasMessageStartingWith("WM1848");
    assertThatThrownBy(() -> source.db().inspect(Operation.READ)).hasMessageStartingWith("WM1848");
    assertThat(cluster.nodes()).allMatch(PostgresNode::isRunning);
  }
}
