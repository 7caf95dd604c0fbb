package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.waymark.core.Operation;
import io.waymark.core.OptionException;
import io.waymark.core.Role;
import io.waymark.core.RouteDecision;
import io.waymark.testing.SeededRandom;
import io.waymark.testing.SeededRandomExtension;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where each kind of statement goes, and what is said about it. */
@ExtendWith(SeededRandomExtension.class)
class RoutingTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private RecordedDataSource source;

  @BeforeEach
  void open() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
    source = cluster.openQuiet();
  }

  @AfterEach
  void close() {
    source.close();
  }

  private Connection connection(boolean readOnly, String scope) throws SQLException {
    Connection connection =
        scope.equals("none")
            ? source.db().getConnection()
            : source.db().using(Role.valueOf(scope)).getConnection();
    connection.setReadOnly(readOnly);
    return connection;
  }

  @ParameterizedTest
  @CsvSource({
    // readOnly, scope, autocommit, statement, operation, endpoint, reason
    "false, none, true, SELECT 1, write, primary, primary-required",
    "false, none, false, SELECT 1, tx, primary, primary-required",
    "false, none, true, SELECT 1 FOR UPDATE, lock, primary, primary-required",
    "false, none, false, SELECT 1 FOR UPDATE, lock, primary, primary-required",
    "false, none, true, DELETE FROM notes, write, primary, primary-required",
    "true, none, true, SELECT pg_try_advisory_xact_lock(1), read, primary, primary-required",
    "true, none, false, SELECT pg_try_advisory_xact_lock(1), read, primary, primary-required",
    "false, none, false, DELETE FROM notes, tx, primary, primary-required",
    "false, PRIMARY, true, SELECT 1, write, primary, constraint:primary",
    "false, PRIMARY, false, DELETE FROM notes, tx, primary, constraint:primary",
    "true, none, true, SELECT 1, read, replica-1, auto:replica-1",
    "true, none, false, SELECT 1, read, replica-1, auto:replica-1",
    "true, PRIMARY, true, SELECT 1, read, primary, constraint:primary",
    "true, PRIMARY, false, SELECT 1, read, primary, constraint:primary",
    "false, REPLICA, true, SELECT 1, read, replica-1, constraint:replica",
    "false, REPLICA, false, SELECT 1, read, replica-1, constraint:replica",
    "true, REPLICA, true, SELECT 1, read, replica-1, constraint:replica",
  })
  void goesWhereTheTableSays(
      boolean readOnly,
      String scope,
      boolean autoCommit,
      String sql,
      String operation,
      String endpoint,
      String reason)
      throws SQLException {
    try (Connection connection = connection(readOnly, scope)) {
      connection.setAutoCommit(autoCommit);

      Jdbc.execute(connection, sql);

      assertThat(source.events())
          .extracting(e -> e.operation().text(), RouteEvent::endpoint, RouteEvent::reason)
          .containsExactly(tuple(operation, endpoint, reason));
      int port = Jdbc.port(connection);
      assertThat(port)
          .isEqualTo(
              endpoint.equals("primary")
                  ? cluster.primary().port()
                  : port == cluster.replica(1).port() ? port : cluster.replica(2).port());
    }
  }

  @Test
  void aReadOnlyTransactionOnAReplicaCannotTakeALockThatExcludesNobody() throws SQLException {
    try (Connection connection = connection(true, "none")) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "SELECT 1");

      assertNeedsPrimary(() -> Jdbc.execute(connection, "SELECT pg_advisory_xact_lock(1)"));

      assertThat(source.events()).hasSize(1);
      connection.rollback();
      Jdbc.execute(connection, "SELECT pg_advisory_xact_lock(1)");
      assertThat(source.events().get(1).endpoint()).isEqualTo("primary");
    }
  }

  @Test
  void readsTakeTurnsOnAllReplicas() throws SQLException {
    Set<String> endpoints = new TreeSet<>();
    for (int i = 0; i < 6; i++) {
      source.read("SELECT 1");
      endpoints.add(source.lastEvent().endpoint());
    }

    assertThat(endpoints).containsExactly("replica-1", "replica-2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO notes VALUES (1, 'a')",
        "UPDATE notes SET title = 'b'",
        "/* why */ DELETE FROM notes",
        "WITH gone AS (DELETE FROM notes RETURNING id) SELECT * FROM gone",
        "MERGE INTO notes USING parents ON false WHEN NOT MATCHED THEN DO NOTHING",
        "CALL note_and_commit(1)",
        "SELECT * FROM notes FOR UPDATE",
        "SELECT * FROM notes FOR SHARE",
        "SELECT pg_advisory_lock(1)",
        "CREATE TABLE never (id int)",
        "SELECT nextval('numbers')",
      })
  void aForcedReplicaRefusesWritesBeforeAnythingIsSent(String sql) throws SQLException {
    try (Connection connection = source.db().using(Role.REPLICA).getConnection();
        PreparedStatement prepared = connection.prepareStatement(sql)) {
      long before = cluster.roundTrips();

      assertNeedsPrimary(() -> Jdbc.execute(connection, sql));
      assertNeedsPrimary(prepared::execute);
      connection.setAutoCommit(false);
      assertNeedsPrimary(prepared::execute);

      assertThat(cluster.roundTrips()).isEqualTo(before);
      assertThat(source.events()).isEmpty();
    }
  }

  @Test
  void aForcedReplicaRefusesBatchesAndWritesInTheMiddleOfATransaction() throws SQLException {
    try (Connection connection = source.db().using(Role.REPLICA).getConnection()) {
      connection.setAutoCommit(false);
      Jdbc.one(connection, "SELECT 1");
      long before = cluster.roundTrips();

      assertNeedsPrimary(() -> Jdbc.execute(connection, "DELETE FROM notes"));
      try (Statement statement = connection.createStatement()) {
        statement.addBatch("SELECT 1");
        assertNeedsPrimary(statement::executeBatch);
      }

      assertThat(cluster.roundTrips()).isEqualTo(before);
      assertThat(Jdbc.one(connection, "SELECT 2")).isEqualTo("2");
    }
  }

  private static void assertNeedsPrimary(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1840))
        .hasMessageStartingWith("WM1840");
  }

  @Test
  void aReplicaScopeStaysReadOnlyWhateverIsSet() throws SQLException {
    try (Connection connection = source.db().using(Role.REPLICA).getConnection()) {
      assertThat(connection.isReadOnly()).isTrue();

      connection.setReadOnly(false);

      assertThat(connection.isReadOnly()).isTrue();
      assertNeedsPrimary(() -> Jdbc.execute(connection, "DELETE FROM notes"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "none, SELECT * FROM hidden, auto:replica-1",
    "none, SELECT note(1), auto:replica-1",
    "none, SELECT * FROM notes FOR UPDATE, auto:replica-1",
    "none, DELETE FROM notes, auto:replica-1",
    "REPLICA, SELECT * FROM hidden, constraint:replica",
    "REPLICA, SELECT note(1), constraint:replica",
  })
  void aHiddenWriteIsRefusedByTheReplicaAndItsConnectionIsKept(
      String scope, String sql, String reason) throws SQLException {
    try (Connection connection = connection(true, scope)) {
      String before = Jdbc.backend(connection);

      assertThatThrownBy(() -> Jdbc.execute(connection, sql))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getErrorCode()).isEqualTo(1840);
                assertThat(e.getSQLState()).isEqualTo("25006");
              })
          .hasMessageContaining(reason)
          .hasMessageContaining("replica-1");

      assertThat(Jdbc.backend(connection)).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @CsvSource({"true, 10", "false, 20"})
  void readsAfterAnOwnWriteCostTheRoundTripsOfTheirStatementsAndTheirCommits(
      boolean autoCommit, int roundTrips) throws SQLException {
    readsOnReplicas(4, autoCommit);
    try (Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'own')");
      connection.commit();
    }
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
    readsOnReplicas(4, autoCommit);
    long before = cluster.roundTrips();

    readsOnReplicas(10, autoCommit);

    assertThat(cluster.roundTrips() - before).isEqualTo(roundTrips);
  }

  private void readsOnReplicas(int count, boolean autoCommit) throws SQLException {
    for (int i = 0; i < count; i++) {
      try (Connection connection = source.reader()) {
        connection.setAutoCommit(autoCommit);
        Jdbc.one(connection, "SELECT count(*) FROM notes");
        assertThat(source.lastReason()).startsWith("auto:");
        if (!autoCommit) {
          connection.commit();
        }
      }
    }
  }

  @Test
  void aReadOnlyTransactionIsOneBackendForAllItsStatements() throws SQLException {
    try (Connection connection = source.reader()) {
      connection.setAutoCommit(false);
      List<String> backends = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        backends.add(Jdbc.backend(connection));
      }
      connection.commit();

      assertThat(Set.copyOf(backends)).hasSize(1);
      assertThat(source.events()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void readOnlyIsEnforcedOnThePrimaryToo(boolean autoCommit) throws SQLException {
    try (Connection connection = connection(true, "PRIMARY")) {
      connection.setAutoCommit(autoCommit);

      assertThat(Jdbc.port(connection)).isEqualTo(cluster.primary().port());
      assertThat(Jdbc.one(connection, "SHOW transaction_read_only")).isEqualTo("on");
      assertNeedsPrimary(() -> Jdbc.execute(connection, "SELECT note(7)"));
      if (!autoCommit) {
        connection.rollback();
      }
      connection.setAutoCommit(true);
      connection.setReadOnly(false);
      Jdbc.execute(connection, "SELECT note(7)");
      assertThat(Jdbc.one(connection, "SELECT count(*) FROM notes")).isEqualTo("1");
    }
  }

  @Test
  void readOnlyIsEnforcedWhereThePrimaryHasOneConnectionOnly() throws SQLException {
    try (RecordedDataSource small = cluster.open(b -> b.max(1).routing(r -> r.probe("1m")));
        Connection connection = small.db().using(Role.PRIMARY).getConnection()) {
      connection.setReadOnly(true);

      assertThat(Jdbc.one(connection, "SHOW transaction_read_only")).isEqualTo("on");
      assertNeedsPrimary(() -> Jdbc.execute(connection, "SELECT note(7)"));
      connection.setReadOnly(false);
      Jdbc.execute(connection, "SELECT note(7)");
      assertThat(Jdbc.one(connection, "SELECT count(*) FROM notes")).isEqualTo("1");
    }
  }

  @Test
  void aReadOnThePrimaryMayFetchInPortionsWhereThereIsOneConnectionOnly() throws SQLException {
    try (RecordedDataSource small = cluster.open(b -> b.max(1).routing(r -> r.probe("1m")));
        Connection connection = small.db().using(Role.PRIMARY).getConnection();
        Statement statement = connection.createStatement()) {
      connection.setReadOnly(true);
      statement.setFetchSize(2);

      int rows = 0;
      try (var result = statement.executeQuery("SELECT generate_series(1, 5)")) {
        while (result.next()) {
          rows++;
        }
      }

      assertThat(rows).isEqualTo(5);
    }
  }

  @Test
  void moreReadersThanReadOnlySessionsFindAPlaceOnThePrimary() throws SQLException {
    List<Connection> readers = new ArrayList<>();
    try (RecordedDataSource small =
        cluster.open(b -> b.max(4).acquireTimeout("300ms").routing(r -> r.probe("1m")))) {
      for (int i = 0; i < 4; i++) {
        Connection reader = small.db().using(Role.PRIMARY).getConnection();
        readers.add(reader);
        reader.setReadOnly(true);
        assertThat(Jdbc.one(reader, "SHOW transaction_read_only")).isEqualTo("on");
      }
    } finally {
      for (Connection reader : readers) {
        reader.close();
      }
    }
  }

  @Test
  void aSerializableReadOnlyTransactionGoesToThePrimary() throws SQLException {
    try (Connection connection = source.reader()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      connection.setAutoCommit(false);

      assertThat(Jdbc.port(connection)).isEqualTo(cluster.primary().port());
      assertThat(Jdbc.one(connection, "SHOW transaction_isolation")).isEqualTo("serializable");
      assertThat(Jdbc.one(connection, "SHOW transaction_read_only")).isEqualTo("on");
      connection.commit();
    }
    assertThat(source.events()).extracting(RouteEvent::reason).containsExactly("primary-required");
  }

  @Test
  void aConnectionBoundToAReplicaMovesToThePrimaryWhenItBecomesSerializable() throws SQLException {
    try (Connection connection = source.reader()) {
      assertThat(Jdbc.port(connection)).isNotEqualTo(cluster.primary().port());

      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);

      assertThat(Jdbc.port(connection)).isEqualTo(cluster.primary().port());
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
    for (int i = 0; i < 4; i++) {
      assertThat(source.read("SHOW transaction_isolation")).isEqualTo("read committed");
    }
  }

  @Test
  void scopesNestAndEndInnermostFirst() throws SQLException {
    try (RouteScope outer = source.db().route(Role.REPLICA)) {
      assertThat(outer.role()).isEqualTo(Role.REPLICA);
      assertThat(reasonOfARead()).isEqualTo("constraint:replica");
      try (RouteScope inner = source.db().route(Role.PRIMARY)) {
        assertThat(inner.role()).isEqualTo(Role.PRIMARY);
        assertThat(reasonOfARead()).isEqualTo("constraint:primary");
      }
      assertThat(reasonOfARead()).isEqualTo("constraint:replica");
    }
    assertThat(reasonOfARead()).startsWith("auto:");
  }

  private String reasonOfARead() throws SQLException {
    source.read("SELECT 1");
    return source.lastReason();
  }

  @Test
  void inspectSaysWhatTheNextReadDoesAndMovesNothing() throws SQLException {
    for (int i = 0; i < 6; i++) {
      RouteDecision first = source.db().inspect(Operation.READ);
      RouteDecision again = source.db().inspect(Operation.READ);
      int events = source.events().size();
      source.read("SELECT 1");

      assertThat(again.endpoint()).isEqualTo(first.endpoint());
      assertThat(source.events()).hasSize(events + 1);
      assertThat(source.lastEvent().endpoint()).isEqualTo(first.endpoint().orElseThrow());
      assertThat(source.lastReason()).isEqualTo(first.reason());
    }
    assertThat(source.db().inspect(Operation.WRITE).reason()).isEqualTo("primary-required");
    try (RouteScope scope = source.db().route(Role.REPLICA)) {
      assertThat(scope.role()).isEqualTo(Role.REPLICA);
      assertThat(source.db().inspect(Operation.READ).reason()).isEqualTo("constraint:replica");
      assertThat(source.db().inspect(Operation.WRITE).endpoint()).isEmpty();
    }
  }

  @Test
  void aListenerThatThrowsDoesNotDisturb() throws SQLException {
    try (WaymarkDataSource db =
            cluster
                .builder()
                .onRoute(
                    event -> {
                      throw new IllegalStateException("a listener's own affair");
                    })
                .connect();
        Connection connection = db.getConnection()) {
      assertThat(Jdbc.one(connection, "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void aLoneUrlServesBothRoutesAndHasNoUsing() throws SQLException {
    try (RecordedDataSource lone =
        RecordedDataSource.open(
            WaymarkDataSource.builder().user("postgres").single(cluster.primary().proxyUrl()),
            b -> {})) {
      lone.write("INSERT INTO notes VALUES (1, 'a')");
      assertThat(lone.lastReason()).isEqualTo("single-endpoint");
      assertThat(lone.read("SELECT title FROM notes")).isEqualTo("a");
      assertThat(lone.lastReason()).isEqualTo("single-endpoint");
      assertThat(lone.db().inspect(Operation.READ).reason()).isEqualTo("single-endpoint");
      assertThatThrownBy(() -> lone.db().using(Role.REPLICA)).isInstanceOf(OptionException.class);
      assertThatThrownBy(() -> lone.db().route(Role.PRIMARY)).isInstanceOf(OptionException.class);
    }
  }

  @Test
  void aPrimaryWithoutReplicasServesReadsAsTheFallback() throws SQLException {
    try (RecordedDataSource alone =
        RecordedDataSource.open(
            WaymarkDataSource.builder().user("postgres").primary(cluster.primary().proxyUrl()),
            b -> {})) {
      assertThat(alone.read("SELECT 1")).isEqualTo("1");
      assertThat(alone.lastReason()).isEqualTo("fallback:no-replicas");
      assertThatThrownBy(
              () -> {
                try (Connection c = alone.db().using(Role.REPLICA).getConnection()) {
                  Jdbc.one(c, "SELECT 1");
                }
              })
          .hasMessageStartingWith("WM1843")
          .hasMessageContaining("no-replicas");
    }
  }

  @Test
  void aReadOnlyConnectionMovesBetweenTransactionsWhenItIsDeclaredOtherwise() throws SQLException {
    try (Connection connection = source.reader()) {
      int replica = Jdbc.port(connection);
      connection.setReadOnly(false);
      int primary = Jdbc.port(connection);
      connection.setReadOnly(true);
      int replicaAgain = Jdbc.port(connection);

      assertThat(primary).isEqualTo(cluster.primary().port());
      assertThat(List.of(replica, replicaAgain)).doesNotContain(primary);
    }
  }

  @Test
  void readOnlyCannotChangeInTheMiddleOfATransaction() throws SQLException {
    try (Connection connection = source.reader()) {
      connection.setAutoCommit(false);
      Jdbc.one(connection, "SELECT 1");

      assertThatThrownBy(() -> connection.setReadOnly(false))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25001"));
    }
  }

  @Test
  void aLockingReadOnAForcedReplicaIsRefusedInWordsOfItsOwn() throws SQLException {
    try (Connection connection = source.db().using(Role.REPLICA).getConnection()) {
      assertThatThrownBy(() -> Jdbc.one(connection, "SELECT * FROM notes FOR UPDATE"))
          .hasMessageStartingWith("WM1840: a locking read needs the primary");
      assertThatThrownBy(() -> Jdbc.execute(connection, "DELETE FROM notes"))
          .hasMessageStartingWith("WM1840: this operation needs the primary");
    }
  }

  @Test
  void theSelectionHoldsForAConnectionAlsoInAutocommit() throws SQLException {
    for (int i = 0; i < 2; i++) {
      try (Connection connection = source.reader()) {
        Set<String> backends = new TreeSet<>();
        for (int j = 0; j < 6; j++) {
          backends.add(Jdbc.backend(connection));
        }
        assertThat(backends).hasSize(1);
      }
    }
    assertThat(source.events())
        .as("each statement is announced, and each connection has its own replica")
        .extracting(RouteEvent::endpoint)
        .containsExactly(
            "replica-1",
            "replica-1",
            "replica-1",
            "replica-1",
            "replica-1",
            "replica-1",
            "replica-2",
            "replica-2",
            "replica-2",
            "replica-2",
            "replica-2",
            "replica-2");
  }

  @Test
  void aStatementTouchesTheChosenEndpointOnly() throws SQLException {
    source.read("SELECT 1");
    source.read("SELECT 1");
    long others = cluster.primary().wire().requests() + cluster.replica(2).wire().requests();

    source.read("SELECT 1");

    assertThat(source.lastEvent().endpoint()).isEqualTo("replica-1");
    assertThat(cluster.primary().wire().requests() + cluster.replica(2).wire().requests())
        .isEqualTo(others);
    long replicas = cluster.replica(1).wire().requests() + cluster.replica(2).wire().requests();

    source.write("INSERT INTO notes VALUES (1, 'a')");

    assertThat(cluster.replica(1).wire().requests() + cluster.replica(2).wire().requests())
        .isEqualTo(replicas);
  }

  @Test
  void withoutReplicasAndWithoutAFallbackAReadIsAnError() throws SQLException {
    try (RecordedDataSource alone =
        RecordedDataSource.open(
            WaymarkDataSource.builder().user("postgres").primary(cluster.primary().proxyUrl()),
            b -> b.routing(r -> r.fallback(Fallback.ERROR)))) {
      assertThatThrownBy(() -> alone.read("SELECT 1"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1844))
          .hasMessageContaining("(no-replicas)");
      assertThat(alone.events()).isEmpty();
    }
  }

  private interface Step {
    void run(Connection connection) throws SQLException;
  }

  private static final String WHERE = "SELECT pg_backend_pid() || ' ' || pg_is_in_recovery()";

  @Test
  void whateverATransactionDoesItIsOneBackendOfThePrimary(SeededRandom random) throws SQLException {
    List<Step> steps =
        List.of(
            c -> Jdbc.execute(c, "INSERT INTO notes SELECT count(*), 'a' FROM notes"),
            c -> Jdbc.execute(c, "UPDATE notes SET title = 'b'"),
            c -> Jdbc.execute(c, "DELETE FROM notes"),
            c -> Jdbc.one(c, "SELECT count(*) FROM notes"),
            c -> Jdbc.one(c, "SELECT title FROM notes FOR UPDATE"),
            c -> Jdbc.one(c, "SELECT pg_advisory_xact_lock(1)::text"),
            c -> c.rollback(c.setSavepoint()),
            c -> c.releaseSavepoint(c.setSavepoint("here")),
            c -> c.getMetaData().getTables(null, null, "notes", null).close(),
            c -> {
              try (Statement batch = c.createStatement()) {
                batch.addBatch("UPDATE notes SET title = 'c'");
                batch.addBatch("DELETE FROM notes WHERE id > 2");
                batch.executeBatch();
              }
            });
    for (int transaction = 0; transaction < 12; transaction++) {
      source.events().clear();
      try (Connection connection = source.writer()) {
        connection.setAutoCommit(false);
        Set<String> places = new TreeSet<>();
        for (int step = 0; step < 8; step++) {
          steps.get(random.nextInt(steps.size())).run(connection);
          places.add(Jdbc.one(connection, WHERE));
        }
        if (random.nextInt(2) == 0) {
          connection.commit();
        } else {
          connection.rollback();
        }
        assertThat(places).as("%s", random).hasSize(1).allMatch(place -> place.endsWith(" false"));
      }
      assertThat(source.events()).as("%s", random).hasSize(1);
      assertThat(source.lastReason()).isEqualTo("primary-required");
    }
  }
}
