package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Operation;
import io.waymark.core.OptionException;
import io.waymark.core.Role;
import io.waymark.core.RouteDecision.PassedOver;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator changes while calls go on. */
class AdminTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private RecordedDataSource source;

  @BeforeEach
  void open() throws SQLException {
    source = cluster.openQuiet();
  }

  @AfterEach
  void close() {
    source.close();
  }

  private void reopen(Consumer<WaymarkDataSourceBuilder> options) throws SQLException {
    source.close();
    source = cluster.open(options);
  }

  private Admin admin() {
    return source.db().admin();
  }

  private List<String> readReasons(int reads) throws SQLException {
    source.events().clear();
    for (int i = 0; i < reads; i++) {
      source.read("SELECT 1");
    }
    return source.events().stream().map(RouteEvent::reason).distinct().sorted().toList();
  }

  private String forcedRead() throws SQLException {
    try (Connection connection = source.db().using(Role.REPLICA).getConnection()) {
      Jdbc.one(connection, "SELECT 1");
      return source.lastEvent().endpoint();
    }
  }

  // ---- drain and resume

  @Test
  void noNewReadGoesToADrainedReplicaUntilItIsResumed() throws SQLException {
    assertThat(readReasons(4)).containsExactly("auto:replica-1", "auto:replica-2");

    admin().drain("replica-1");

    assertThat(readReasons(4)).containsExactly("auto:replica-2");
    assertThat(forcedRead()).isEqualTo("replica-2");
    assertThat(source.status("replica-1").ineligible()).contains("drained");
    assertThat(source.db().inspect(Operation.READ).passedOver())
        .contains(new PassedOver("replica-1", "drained"));

    admin().resume("replica-1");

    assertThat(readReasons(4)).containsExactly("auto:replica-1", "auto:replica-2");
    assertThat(source.status("replica-1").ineligible()).isEmpty();
  }

  @Test
  void theConnectionsOfADrainedReplicaAreClosed() throws SQLException {
    reopen(b -> b.routing(r -> r.probe("1m")).user("clerk"));
    readReasons(4);
    assertThat(clients(1)).as("one of the pool, one of the monitor").isEqualTo(2);
    try (Connection held = source.reader()) {
      Jdbc.one(held, "SELECT 1");
      String first = source.lastEvent().endpoint();

      admin().drain(first);

      assertThat(source.status(first).connections()).isEqualTo(1);
      assertThat(Jdbc.one(held, "SELECT 1")).isEqualTo("1");
      assertThat(source.lastEvent().endpoint()).isNotEqualTo(first);
      assertThat(source.status(first).connections()).isZero();
      await().until(() -> clients(Integer.parseInt(first.substring("replica-".length()))) == 1);
    }
  }

  private static int clients(int replica) throws SQLException {
    try (Connection connection = cluster.replica(replica).connect()) {
      return Integer.parseInt(
          Jdbc.one(connection, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'clerk'"));
    }
  }

  @Test
  void aTransactionUnderWayEndsWhereItIsAndTheNextOneMoves() throws SQLException {
    try (Connection connection = source.reader()) {
      connection.setAutoCommit(false);
      String backend = Jdbc.backend(connection);
      String before = source.lastEvent().endpoint();

      admin().drain(before);

      assertThat(Jdbc.backend(connection)).isEqualTo(backend);
      connection.commit();
      assertThat(Jdbc.one(connection, "SELECT 1")).isEqualTo("1");
      assertThat(source.lastEvent().endpoint()).isNotEqualTo(before).startsWith("replica-");
      connection.commit();
    }
  }

  @Test
  void aStatementUnderWayEndsWhereItIs() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<String> slow = thread.submit(() -> source.read("SELECT pg_sleep(1)::text || 'done'"));
      await().until(() -> source.db().endpoints().stream().anyMatch(s -> s.inFlight() == 1));

      admin().drain("replica-1");
      admin().drain("replica-2");

      assertThat(slow.get()).isEqualTo("done");
      assertThat(source.events()).hasSize(1);
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void aCallerThatIsTiedStaysUntilNothingTiesIt() throws SQLException {
    try (Connection connection = source.reader()) {
      String before;
      try (Statement statement = connection.createStatement();
          ResultSet open = statement.executeQuery("SELECT generate_series(1, 3)")) {
        before = source.lastEvent().endpoint();

        admin().drain(before);
        admin().primaryOnly(true);

        assertThat(open.next()).isTrue();
        Jdbc.one(connection, "SELECT 1");
        assertThat(source.lastEvent().endpoint()).isEqualTo(before);
      }
      Jdbc.one(connection, "SELECT 1");
      assertThat(source.lastEvent().endpoint()).isEqualTo("primary");
    }
  }

  @Test
  void whoWaitsForADrainedReplicaGoesElsewhere() throws Exception {
    reopen(b -> b.max(1).routing(r -> r.probe("1m").select(Select.LEAST_CONNECTIONS)));
    ExecutorService thread = Executors.newSingleThreadExecutor();
    admin().drain("replica-2");
    try (Connection holder = source.db().using(Role.REPLICA).getConnection()) {
      Jdbc.one(holder, "SELECT 1");
      Future<String> waiting = thread.submit(this::forcedRead);
      await().until(() -> source.status("replica-1").inFlight() == 1);

      admin().resume("replica-2");
      admin().drain("replica-1");

      assertThat(waiting.get()).isEqualTo("replica-2");
      assertThat(source.status("replica-1").circuit()).isEqualTo("closed");
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void whenAllAreDrainedReadsFallBackAndForcedOnesSayWhy() throws SQLException {
    admin().drain("replica-1");
    admin().drain("replica-2");

    assertThat(readReasons(2)).containsExactly("fallback:unhealthy");
    assertThat(source.db().inspect(Operation.READ).reason()).isEqualTo("fallback:unhealthy");
    assertThatThrownBy(this::forcedRead)
        .hasMessageStartingWith("WM1843")
        .hasMessageContaining("(unhealthy)")
        .hasMessageContaining("replica-1: drained; replica-2: drained");
  }

  @Test
  void whenAllAreDrainedAndTheFallbackIsErrorTheErrorSaysWhy() throws SQLException {
    reopen(b -> b.routing(r -> r.probe("1m").fallback(Fallback.ERROR)));
    admin().drain("replica-1");
    admin().drain("replica-2");

    assertThatThrownBy(() -> source.read("SELECT 1"))
        .hasMessageStartingWith("WM1844")
        .hasMessageContaining("replica-1: drained; replica-2: drained");
  }

  // ---- weight

  @Test
  void aWeightCountsFromTheNextSelection() throws SQLException {
    admin().weight("replica-2", 3);

    source.events().clear();
    for (int i = 0; i < 8; i++) {
      source.read("SELECT 1");
    }

    assertThat(source.events())
        .extracting(RouteEvent::endpoint)
        .filteredOn("replica-2"::equals)
        .hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void aWeightThatIsNotPositiveAndFiniteIsRefused(double weight) {
    assertThatThrownBy(() -> admin().weight("replica-2", weight))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("replicas[1].weight");
    assertThat(admin().state().weights()).containsEntry("replica-2", 1.0);
  }

  @Test
  void weightsWhoseTotalIsNotFiniteAreRefused() {
    admin().weight("replica-1", Double.MAX_VALUE);

    assertThatThrownBy(() -> admin().weight("replica-2", Double.MAX_VALUE))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("total");
    assertThat(admin().state().weights()).containsEntry("replica-2", 1.0);
  }

  // ---- primary only

  @Test
  void primaryOnlySendsAutomaticReadsToThePrimaryAndForcedOnesWhereTheyMustGo()
      throws SQLException {
    admin().primaryOnly(true);

    assertThat(readReasons(2)).containsExactly("constraint:primary");
    assertThat(source.lastEvent().endpoint()).isEqualTo("primary");
    assertThat(source.db().inspect(Operation.READ).reason()).isEqualTo("constraint:primary");
    assertThat(source.db().inspect(Operation.READ).passedOver())
        .containsExactly(
            new PassedOver("replica-1", "primary only"),
            new PassedOver("replica-2", "primary only"));
    assertThat(forcedRead()).startsWith("replica-");

    admin().primaryOnly(false);

    assertThat(readReasons(4)).containsExactly("auto:replica-1", "auto:replica-2");
  }

  @Test
  void primaryOnlyHoldsAlsoWhereTheFallbackIsError() throws SQLException {
    reopen(b -> b.routing(r -> r.probe("1m").fallback(Fallback.ERROR)));
    admin().primaryOnly(true);

    assertThat(readReasons(1)).containsExactly("constraint:primary");
  }

  @Test
  void aHeldConnectionFollowsPrimaryOnlyThereAndBack() throws SQLException {
    try (Connection connection = source.reader()) {
      Jdbc.one(connection, "SELECT 1");
      assertThat(source.lastEvent().endpoint()).startsWith("replica-");
      admin().primaryOnly(true);
      Jdbc.one(connection, "SELECT 1");
      assertThat(source.lastEvent().endpoint()).isEqualTo("primary");
      Jdbc.one(connection, "SELECT 1");
      assertThat(source.lastReason()).isEqualTo("constraint:primary");
      admin().primaryOnly(false);
      Jdbc.one(connection, "SELECT 1");
      assertThat(source.lastEvent().endpoint()).startsWith("replica-");
    }
  }

  @Test
  void readsThatAnOperatorSentToThePrimaryLeaveHalfOfItToTheWrites() throws SQLException {
    reopen(b -> b.max(2).acquireTimeout("250ms").routing(r -> r.probe("1m")));
    admin().primaryOnly(true);
    try (Connection first = source.reader();
        Connection second = source.reader()) {
      Jdbc.one(first, "SELECT 1");

      assertThatThrownBy(() -> Jdbc.one(second, "SELECT 1")).hasMessageStartingWith("WM1846");
      source.write("SELECT 1");
    }
  }

  // ---- names and state

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "east | there is no such replica",
        "primary | it is the primary, and nothing else takes the writes",
      })
  void aNameThatIsNoReplicasIsRefusedWithThoseThatAre(String name, String why) {
    List<Runnable> levers =
        List.of(
            () -> admin().drain(name), () -> admin().resume(name), () -> admin().weight(name, 2));
    for (Runnable lever : levers) {
      assertThatThrownBy(lever::run)
          .isInstanceOf(OptionException.class)
          .hasMessageStartingWith("WM1120")
          .hasMessageContaining('"' + name + '"')
          .hasMessageContaining(why)
          .hasMessageContaining("\"replica-1\", \"replica-2\"");
    }
  }

  @Test
  void theStateIsAsAskedAndDoesNotChangeUnderTheReader() {
    AdminState before = admin().state();
    assertThat(before.drained()).isEmpty();
    assertThat(before.primaryOnly()).isFalse();

    admin().drain("replica-2");
    admin().drain("replica-2");
    admin().weight("replica-1", 0.5);
    admin().primaryOnly(true);

    AdminState now = admin().state();
    assertThat(now.drained()).containsExactly("replica-2");
    assertThat(now.weights()).containsExactly(entry("replica-1", 0.5), entry("replica-2", 1.0));
    assertThat(now.primaryOnly()).isTrue();
    assertThat(before.drained()).isEmpty();
    assertThat(before.weights()).containsEntry("replica-1", 1.0);
    assertThatThrownBy(() -> now.drained().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aProbeChangesNothingThatAnOperatorAsked() throws SQLException {
    reopen(b -> b.routing(r -> r.probe("50ms")));
    admin().drain("replica-1");
    admin().weight("replica-2", 7);
    AdminState asked = admin().state();
    long requests = cluster.replica(1).wire().requests();

    await().until(() -> cluster.replica(1).wire().requests() > requests + 3);

    assertThat(admin().state()).isEqualTo(asked);
  }
}
