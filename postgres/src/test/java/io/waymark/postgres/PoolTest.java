package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Operation;
import io.waymark.core.Role;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who gets a connection, who waits for one, and for how long. */
class PoolTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Connection> held = new ArrayList<>();

  @BeforeEach
  void empty() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
  }

  @AfterEach
  void giveBack() throws SQLException {
    for (Connection connection : held) {
      connection.close();
    }
    threads.shutdownNow();
  }

  /** A primary and one replica with one connection. */
  private static RecordedDataSource oneReplica(Consumer<WaymarkDataSourceBuilder> options)
      throws SQLException {
    return RecordedDataSource.open(
        WaymarkDataSource.builder()
            .user("postgres")
            .primary(cluster.primary().proxyUrl())
            .replica(r -> r.url(cluster.replica(1).proxyUrl()).poolMax(1)),
        options);
  }

  /** A connection that has read here and is kept. */
  private Connection hold(RecordedDataSource source, Role role) throws SQLException {
    Connection connection = source.db().using(role).getConnection();
    held.add(connection);
    connection.setReadOnly(true);
    connection.setAutoCommit(false);
    Jdbc.one(connection, "SELECT 1");
    return connection;
  }

  private static void assertFull(int inUse, int max, String endpoint, Acquiring acquiring) {
    assertThatThrownBy(acquiring::acquire)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1846))
        .hasMessageContaining("endpoint " + endpoint)
        .hasMessageContaining("(" + inUse + " of " + max + " in use)");
  }

  private interface Acquiring {
    void acquire() throws SQLException;
  }

  // ---- how many

  @Test
  void aReplicasOwnMaximumWinsOverTheCommonOne() throws SQLException {
    try (RecordedDataSource source =
        RecordedDataSource.open(
            WaymarkDataSource.builder()
                .user("postgres")
                .primary(cluster.primary().proxyUrl())
                .replica(r -> r.url(cluster.replica(1).proxyUrl()).poolMax(1))
                .replica(cluster.replica(2).proxyUrl()),
            b -> b.max(2).acquireTimeout("300ms").routing(r -> r.probe("1m")))) {
      source.db().admin().drain("replica-2");
      hold(source, Role.REPLICA);
      assertFull(1, 1, "replica-1", () -> hold(source, Role.REPLICA));

      source.db().admin().resume("replica-2");
      source.db().admin().drain("replica-1");
      hold(source, Role.REPLICA);
      hold(source, Role.REPLICA);
      assertFull(2, 2, "replica-2", () -> hold(source, Role.REPLICA));
      assertThat(source.db().endpoints()).extracting(EndpointStatus::max).containsExactly(2, 1, 2);
    }
  }

  @Test
  void thePrimaryNeverHasMoreConnectionsThanItsMaximum() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    try (RecordedDataSource source =
            cluster.open(b -> b.user("clerk").max(4).routing(r -> r.probe("1m")));
        Connection beside = cluster.primary().connect()) {
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        boolean readOnly = i % 2 == 0;
        boolean autoCommit = i % 3 == 0;
        callers.add(threads.submit(() -> keepBusy(source, readOnly, autoCommit, stop)));
      }
      int most = 0;
      for (int i = 0; i < 40; i++) {
        most =
            Math.max(
                most,
                Integer.parseInt(
                    Jdbc.one(
                        beside,
                        "SELECT count(*) FROM pg_stat_activity, pg_sleep(0.02)"
                            + " WHERE usename = 'clerk'")));
      }
      stop.set(true);
      for (Future<?> caller : callers) {
        caller.get();
      }

      assertThat(most).as("four pooled and the monitor's").isEqualTo(5);
    }
  }

  private static Void keepBusy(
      RecordedDataSource source, boolean readOnly, boolean autoCommit, AtomicBoolean stop)
      throws SQLException {
    while (!stop.get()) {
      try (Connection connection = source.db().using(Role.PRIMARY).getConnection()) {
        connection.setReadOnly(readOnly);
        connection.setAutoCommit(autoCommit);
        Jdbc.one(connection, "SELECT pg_sleep(0.01)::text");
      }
    }
    return null;
  }

  @Test
  void readsThatFallBackLeaveHalfOfThePrimaryToTheWrites() throws SQLException {
    try (RecordedDataSource alone =
        RecordedDataSource.open(
            WaymarkDataSource.builder().user("postgres").primary(cluster.primary().proxyUrl()),
            b -> b.max(4).acquireTimeout("300ms").routing(r -> r.probe("1m")))) {
      for (int i = 0; i < 2; i++) {
        held.add(fallback(alone));
      }

      assertFull(2, 4, "primary", () -> held.add(fallback(alone)));
      alone.write("INSERT INTO notes VALUES (1, 'a write has its place')");
    }
  }

  @Test
  void oneReadMayFallBackWhereThePrimaryHasOneConnection() throws SQLException {
    try (RecordedDataSource alone =
        RecordedDataSource.open(
            WaymarkDataSource.builder().user("postgres").primary(cluster.primary().proxyUrl()),
            b -> b.max(1).acquireTimeout("300ms").routing(r -> r.probe("1m")))) {
      held.add(fallback(alone));

      assertThat(alone.lastReason()).isEqualTo("fallback:no-replicas");
    }
  }

  /** A read-only transaction on the primary because no replica may serve it. */
  private static Connection fallback(RecordedDataSource source) throws SQLException {
    Connection connection = source.reader();
    connection.setAutoCommit(false);
    Jdbc.one(connection, "SELECT 1");
    return connection;
  }

  // ---- for how long

  @Test
  void whoWaitsForAReplicaWhoseCircuitOpensStopsWaiting() throws Exception {
    try (RecordedDataSource source =
        oneReplica(b -> b.acquireTimeout("30s").routing(r -> r.probe("200ms")))) {
      hold(source, Role.REPLICA);
      Future<String> automatic = threads.submit(() -> source.read("SELECT 'served'"));
      await()
          .until(() -> source.db().inspect(Operation.READ).reason().equals("fallback:saturated"));
      Future<Connection> forced = threads.submit(() -> hold(source, Role.REPLICA));

      cluster.replica(1).kill();

      assertThat(automatic.get(10, TimeUnit.SECONDS)).isEqualTo("served");
      assertThat(source.lastReason()).isEqualTo("fallback:unhealthy");
      assertThatThrownBy(() -> forced.get(10, TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isNotEqualTo(1846));
    }
  }

  @Test
  void aConnectionIsGivenBackBeforeAnotherPoolIsWaitedOn() throws Exception {
    try (RecordedDataSource source =
        oneReplica(b -> b.max(1).acquireTimeout("20s").routing(r -> r.probe("1m")))) {
      Connection writer = source.writer();
      held.add(writer);
      writer.setAutoCommit(false);
      Jdbc.one(writer, "SELECT 1");
      Connection mover = source.reader();
      held.add(mover);
      assertThat(Jdbc.port(mover)).isEqualTo(cluster.replica(1).port());

      mover.setReadOnly(false);
      Future<Integer> moving = threads.submit(() -> Jdbc.port(mover));

      await().until(() -> source.status("replica-1").connections() == 0);
      assertThat(source.read("SELECT inet_server_port()"))
          .as("its place on the replica is free for others")
          .isEqualTo(String.valueOf(cluster.replica(1).port()));
      assertThat(moving.isDone()).isFalse();
      writer.commit();
      writer.close();
      assertThat(moving.get(10, TimeUnit.SECONDS)).isEqualTo(cluster.primary().port());
    }
  }

  @Test
  void aWriteThatFindsNoConnectionWaitsForThePrimary() throws Exception {
    try (RecordedDataSource source =
        cluster.open(b -> b.acquireTimeout("20s").routing(r -> r.probe("1m")))) {
      cluster.primary().proxy().refuse();
      Future<?> write =
          threads.submit(
              () -> {
                source.write("INSERT INTO notes VALUES (1, 'patient')");
                return null;
              });
      await()
          .during(Duration.ofMillis(800))
          .atMost(Duration.ofSeconds(5))
          .until(() -> !write.isDone());

      cluster.primary().proxy().accept();

      write.get(10, TimeUnit.SECONDS);
    }
    try (Connection beside = cluster.primary().connect()) {
      assertThat(Jdbc.one(beside, "SELECT string_agg(title, ',') FROM notes")).isEqualTo("patient");
    }
  }

  @Test
  void aWriteWaitsForThePrimaryNoLongerThanItMay() throws SQLException {
    try (RecordedDataSource source =
        cluster.open(b -> b.acquireTimeout("700ms").routing(r -> r.probe("1m")))) {
      cluster.primary().proxy().refuse();
      long started = System.nanoTime();

      assertThatThrownBy(() -> source.write("INSERT INTO notes VALUES (1, 'never')"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08001"))
          .hasMessageContaining("endpoint primary");

      assertThat(Duration.ofNanos(System.nanoTime() - started))
          .isBetween(Duration.ofMillis(690), Duration.ofSeconds(3));
    }
  }

  @Test
  void whoIsInterruptedWhileItWaitsStopsWaiting() throws Exception {
    try (RecordedDataSource source =
        oneReplica(b -> b.acquireTimeout("30s").routing(r -> r.probe("1m")))) {
      hold(source, Role.REPLICA);
      AtomicBoolean stillInterrupted = new AtomicBoolean();
      Future<String> state =
          threads.submit(
              () -> {
                Thread.currentThread().interrupt();
                try {
                  return hold(source, Role.REPLICA).toString();
                } catch (SQLException e) {
                  stillInterrupted.set(Thread.interrupted());
                  return e.getSQLState();
                }
              });

      assertThat(state.get(5, TimeUnit.SECONDS)).isEqualTo("57014");
      assertThat(stillInterrupted).isTrue();
    }
  }

  @Test
  void aFullPrimaryIsNoReasonToWriteElsewhere() throws SQLException {
    try (RecordedDataSource source =
        cluster.open(b -> b.max(1).acquireTimeout("300ms").routing(r -> r.probe("1m")))) {
      try (Connection holder = source.writer()) {
        holder.setAutoCommit(false);
        Jdbc.execute(holder, "INSERT INTO notes VALUES (1, 'first')");

        assertThat(source.read("SELECT 1")).isEqualTo("1");
        assertThat(source.lastReason()).startsWith("auto:");
        assertFull(1, 1, "primary", () -> source.write("INSERT INTO notes VALUES (2, 'never')"));
        assertThat(source.lastEvent().endpoint()).isEqualTo("primary");
        holder.commit();
      }
      source.write("INSERT INTO notes VALUES (3, 'now')");
    }
  }

  @Test
  void whenAllReplicasAreFullAndThereIsNoFallbackTheErrorSaysSo() throws SQLException {
    try (RecordedDataSource source =
        oneReplica(
            b -> b.acquireTimeout("10s").routing(r -> r.probe("1m").fallback(Fallback.ERROR)))) {
      hold(source, Role.REPLICA);
      Future<String> queued = threads.submit(() -> source.read("SELECT 'served'"));
      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> source.read("SELECT 1"))
                      .isInstanceOfSatisfying(
                          SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1844))
                      .hasMessageContaining("(saturated)"));
      assertThat(queued.isDone()).isFalse();
    }
  }

  // ---- what does not cost a connection

  @Test
  void aStatementThatAStandbyCannotDoCostsNoConnection() throws SQLException {
    cluster.onPrimary("CREATE UNLOGGED TABLE IF NOT EXISTS fleeting (id int)");
    cluster.replica(1).awaitCaughtUp();
    try (RecordedDataSource source = oneReplica(b -> b.routing(r -> r.probe("1m")))) {
      String before = source.read(Jdbc.BACKEND);
      for (int i = 0; i < 3; i++) {
        try (Connection connection = source.reader()) {
          assertThatThrownBy(() -> Jdbc.one(connection, "SELECT count(*) FROM fleeting"))
              .isInstanceOfSatisfying(
                  SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
          assertThat(Jdbc.backend(connection)).isEqualTo(before);
        }
        assertThat(source.read(Jdbc.BACKEND)).isEqualTo(before);
      }
    }
  }

  @Test
  void aServerWithoutRoomForMoreConnectionsIsNotDead() throws SQLException {
    cluster.onPrimary("ALTER ROLE clerk CONNECTION LIMIT 1");
    cluster.replica(1).awaitCaughtUp();
    try (RecordedDataSource source =
        oneReplica(b -> b.user("clerk").acquireTimeout("500ms").routing(r -> r.probe("1m")))) {
      // The monitor has the one connection, on each server: the pools get none.
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> hold(source, Role.REPLICA))
            .hasMessageContaining("too many connections for role");
      }
      assertThatThrownBy(() -> source.write("SELECT 1"))
          .hasMessageContaining("too many connections for role");

      assertThat(source.db().endpoints())
          .extracting(EndpointStatus::circuit)
          .containsOnly("closed");
    } finally {
      cluster.onPrimary("ALTER ROLE clerk CONNECTION LIMIT -1");
    }
  }
}
