package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.postgres.PostgresNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PgDatabaseMetaData;
import org.postgresql.jdbc.PgResultSet;
import org.postgresql.jdbc.PgStatement;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** What JDBC promises holds although no server stands behind a connection at first. */
class JdbcSurfaceTest {
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

  // ---- before a server is needed

  @Test
  void whatNeedsNoServerOpensNoConnection() throws SQLException {
    long before = cluster.connectionsOpened();

    try (Connection connection = source.writer()) {
      assertThat(connection.getMetaData().getURL())
          .isEqualTo(cluster.primary().proxyUrl())
          .doesNotContain("?");
      assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("PostgreSQL");
      assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
      assertThat(connection.isReadOnly()).isFalse();
      assertThat(connection.getAutoCommit()).isTrue();
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setNetworkTimeout(Runnable::run, 5_000);
      connection.setSchema("public");
      connection.setClientInfo("ApplicationName", "ours");
      connection.setHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT);
      assertThat(connection.getSchema()).isEqualTo("public");
      assertThat(connection.isValid(1)).isTrue();
      assertThat((Throwable) connection.getWarnings()).isNull();
      try (PreparedStatement statement = connection.prepareStatement("SELECT ?")) {
        statement.setInt(1, 1);
        statement.setFetchSize(10);
        statement.addBatch();
      }
      connection.commit();
      connection.rollback();
      assertThat(connection.isWrapperFor(PGConnection.class)).isTrue();
    }

    assertThat(cluster.connectionsOpened()).isEqualTo(before);
    assertThat(source.events()).isEmpty();
  }

  // ---- parameters

  @Test
  void parametersOfAllCommonTypesArrive() throws SQLException {
    UUID uuid = UUID.fromString("7d444840-9dc0-11d1-b245-5ffdce74fad2");
    OffsetDateTime moment = OffsetDateTime.of(2024, 2, 29, 12, 30, 0, 0, ZoneOffset.UTC);
    try (Connection connection = source.reader();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT ?::int, ?::int8, ?::text, ?::bool, ?::numeric, ?::float8, ?::bytea,"
                    + " ?::date, ?::timestamptz, ?::uuid, ?::int[], ?::text, ?::text, ?::bytea,"
                    + " ?::int2, ?::timestamp, ?::text")) {
      statement.setInt(1, 1);
      statement.setLong(2, 2L);
      statement.setString(3, "three");
      statement.setBoolean(4, true);
      statement.setBigDecimal(5, new BigDecimal("5.50"));
      statement.setDouble(6, 6.5);
      statement.setBytes(7, new byte[] {7});
      statement.setDate(8, Date.valueOf("2024-02-29"));
      statement.setObject(9, moment);
      statement.setObject(10, uuid);
      Array array = connection.createArrayOf("int4", new Object[] {1, null, 3});
      statement.setArray(11, array);
      statement.setNull(12, Types.VARCHAR);
      statement.setCharacterStream(13, new StringReader("letters"), 7);
      statement.setBinaryStream(14, new ByteArrayInputStream(new byte[] {1, 2}), 2);
      statement.setShort(15, (short) 15);
      statement.setTimestamp(
          16,
          new Timestamp(0),
          Calendar.getInstance(TimeZone.getTimeZone("UTC"), java.util.Locale.ROOT));
      statement.setObject(17, null);

      try (ResultSet row = statement.executeQuery()) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(1);
        assertThat(row.getLong(2)).isEqualTo(2);
        assertThat(row.getString(3)).isEqualTo("three");
        assertThat(row.getBoolean(4)).isTrue();
        assertThat(row.getBigDecimal(5)).isEqualTo("5.50");
        assertThat(row.getDouble(6)).isEqualTo(6.5);
        assertThat(row.getBytes(7)).containsExactly(7);
        assertThat(row.getObject(8, LocalDate.class)).isEqualTo("2024-02-29");
        assertThat(row.getObject(9, OffsetDateTime.class)).isEqualTo(moment);
        assertThat(row.getObject(10)).isEqualTo(uuid);
        assertThat((Object[]) row.getArray(11).getArray()).containsExactly(1, null, 3);
        assertThat(row.getString(12)).isNull();
        assertThat(row.wasNull()).isTrue();
        assertThat(row.getString(13)).isEqualTo("letters");
        assertThat(row.getBytes(14)).containsExactly(1, 2);
        assertThat(row.getShort(15)).isEqualTo((short) 15);
        assertThat(row.getString(16)).startsWith("1970-01-01 00:00:00");
        assertThat(row.getString(17)).isNull();
      }
    }
  }

  @Test
  void whatTheCallerChangesAfterSettingAParameterDoesNotMatter() throws SQLException {
    cluster.onPrimary("CREATE TABLE IF NOT EXISTS moments (id int, at timestamp, data bytea)");
    cluster.onPrimary("TRUNCATE moments");
    Timestamp moment = Timestamp.valueOf("2024-01-01 00:00:00");
    byte[] data = {1};
    try (Connection connection = source.writer();
        PreparedStatement statement =
            connection.prepareStatement("INSERT INTO moments VALUES (?, ?, ?)")) {
      for (int i = 0; i < 3; i++) {
        statement.setInt(1, i);
        statement.setTimestamp(2, moment);
        statement.setBytes(3, data);
        statement.addBatch();
        moment.setTime(moment.getTime() + Duration.ofDays(1).toMillis());
        data[0]++;
      }
      statement.executeBatch();

      assertThat(
              Jdbc.one(
                  connection,
                  "SELECT string_agg(to_char(at, 'DD') || encode(data, 'hex'), ' ' ORDER BY id)"
                      + " FROM moments"))
          .isEqualTo("0101 0202 0303");
    }
  }

  @Test
  void aPreparedStatementFollowsItsConnection() throws SQLException {
    try (Connection connection = source.reader();
        PreparedStatement statement =
            connection.prepareStatement("SELECT inet_server_port() + ?")) {
      statement.setInt(1, 0);
      int first = port(statement);
      connection.setReadOnly(false);
      int second = port(statement);
      connection.setReadOnly(true);
      statement.setInt(1, 100_000);

      List<Integer> replicas = List.of(cluster.replica(1).port(), cluster.replica(2).port());
      assertThat(replicas).contains(first);
      assertThat(second).isEqualTo(cluster.primary().port());
      // The statement in between counts as a write, so the replicas may be behind for a moment.
      await().until(() -> replicas.contains(port(statement) - 100_000));
    }
  }

  private static int port(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  // ---- results

  @Test
  void severalResultsOfOneTextComeOneAfterTheOther() throws SQLException {
    try (Connection connection = source.writer();
        Statement statement = connection.createStatement()) {
      assertThat(statement.execute("SELECT 1; INSERT INTO notes VALUES (1, 'a'); SELECT 2"))
          .isTrue();
      try (ResultSet rows = statement.getResultSet()) {
        rows.next();
        assertThat(rows.getInt(1)).isEqualTo(1);
      }
      assertThat(statement.getMoreResults()).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(1);
      assertThat(statement.getMoreResults()).isTrue();
      try (ResultSet rows = statement.getResultSet()) {
        rows.next();
        assertThat(rows.getInt(1)).isEqualTo(2);
      }
      assertThat(statement.getMoreResults()).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
    }
  }

  @Test
  void whatResultsAndStatementsNameIsTheCallersOwn() throws SQLException {
    try (Connection connection = source.reader();
        PreparedStatement statement = connection.prepareStatement("SELECT 1");
        ResultSet rows = statement.executeQuery()) {
      assertThat(rows.getStatement()).isSameAs(statement);
      assertThat(statement.getConnection()).isSameAs(connection);
      assertThat(statement.getResultSet().getStatement()).isSameAs(statement);
    }
  }

  @Test
  void askingAStatementAboutItselfLeavesItsResultOpen() throws SQLException {
    try (Connection connection = source.reader();
        PreparedStatement statement = connection.prepareStatement("SELECT ?::int AS one")) {
      statement.setInt(1, 1);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(statement.getMetaData().getColumnLabel(1)).isEqualTo("one");
        assertThat(statement.getParameterMetaData().getParameterCount()).isEqualTo(1);
        assertThat(statement.getResultSetType()).isEqualTo(ResultSet.TYPE_FORWARD_ONLY);
        assertThat(statement.getResultSetConcurrency()).isEqualTo(ResultSet.CONCUR_READ_ONLY);
        assertThat(statement.getResultSetHoldability())
            .isEqualTo(ResultSet.CLOSE_CURSORS_AT_COMMIT);

        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt("one")).isEqualTo(1);
      }
    }
  }

  @Test
  void aCallableStatementReturnsItsOutput() throws SQLException {
    try (Connection connection = source.reader();
        CallableStatement call = connection.prepareCall("{? = call upper(?)}")) {
      call.registerOutParameter(1, Types.VARCHAR);
      call.setString(2, "loud");
      call.execute();

      assertThat(call.getString(1)).isEqualTo("LOUD");

      call.clearParameters();
      call.setString(2, "again");
      call.execute();

      assertThat(call.getString(1)).isEqualTo("AGAIN");
    }
  }

  @Test
  void rowsStreamInPortionsWithinATransaction() throws SQLException {
    try (Connection connection = source.reader();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(10);
      long before = cluster.roundTrips();
      int rows = 0;
      try (ResultSet result = statement.executeQuery("SELECT generate_series(1, 95)")) {
        while (result.next()) {
          rows++;
        }
      }
      connection.commit();

      assertThat(rows).isEqualTo(95);
      assertThat(cluster.roundTrips() - before).isGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void warningsOfTheServerArrive() throws SQLException {
    try (Connection connection = source.writer();
        Statement statement = connection.createStatement()) {
      statement.execute("DO $$ BEGIN RAISE WARNING 'mind the gap'; END $$");

      assertThat((Throwable) statement.getWarnings()).hasMessageContaining("mind the gap");
      statement.clearWarnings();
      assertThat((Throwable) statement.getWarnings()).isNull();
    }
  }

  // ---- its end

  @Test
  void whatIsClosedRefusesToWork() throws SQLException {
    Connection connection = source.reader();
    PreparedStatement statement = connection.prepareStatement("SELECT 1");
    ResultSet rows = statement.executeQuery();

    connection.close();
    connection.close();

    assertThat(connection.isClosed()).isTrue();
    assertThat(connection.isValid(1)).isFalse();
    assertThat(statement.isClosed()).isTrue();
    assertThat(rows.isClosed()).isTrue();
    assertThatThrownBy(statement::executeQuery).hasMessageStartingWith("WM1848");
    assertThatThrownBy(connection::createStatement).hasMessageStartingWith("WM1848");
    assertThatThrownBy(connection::commit).hasMessageStartingWith("WM1848");
  }

  @Test
  void connectionsThatOutliveTheDataSourceCloseQuietly() throws SQLException {
    Connection bound = source.reader();
    Jdbc.one(bound, "SELECT 1");
    Connection unbound = source.reader();

    source.close();

    assertThat(bound.isClosed()).isTrue();
    assertThatThrownBy(() -> Jdbc.one(bound, "SELECT 1")).hasMessageStartingWith("WM1848");
    assertThatThrownBy(() -> Jdbc.one(unbound, "SELECT 1")).hasMessageStartingWith("WM1848");
    assertThatThrownBy(source::reader).hasMessageStartingWith("WM1848");
    bound.close();
    unbound.close();
  }

  @Test
  void anotherThreadMayCancelAStatement() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Connection connection = source.reader();
        Statement statement = connection.createStatement()) {
      Future<?> sleeping =
          thread.submit(
              () -> {
                statement.execute("SELECT pg_sleep(30)");
                return null;
              });
      await()
          .until(
              () -> {
                statement.cancel();
                return sleeping.isDone();
              });

      assertThatThrownBy(sleeping::get).hasMessageContaining("cancel");
      assertThat(Jdbc.one(connection, "SELECT 1")).isEqualTo("1");
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void aConnectionAbortedByAnotherThreadIsNotGivenToTheNextCaller() throws Exception {
    try (RecordedDataSource small = cluster.open(b -> b.max(1).routing(r -> r.probe("1m")))) {
      Connection aborted = small.writer();
      Jdbc.one(aborted, "SELECT 1");
      aborted.abort(Runnable::run);
      aborted.close();

      small.write("INSERT INTO notes VALUES (1, 'next')");
    }
  }

  @Test
  void aNetworkTimeoutIsCarriedAndTakenBack() throws SQLException {
    try (RecordedDataSource small = cluster.open(b -> b.max(1).routing(r -> r.probe("1m")))) {
      try (Connection connection = small.writer()) {
        connection.setNetworkTimeout(Runnable::run, 300);
        assertThatThrownBy(() -> Jdbc.execute(connection, "SELECT pg_sleep(20)"))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));
      }
      try (Connection connection = small.writer()) {
        assertThat(Jdbc.one(connection, "SELECT pg_sleep(0.5)::text")).isEmpty();
      }
    }
  }

  // ---- what is left behind for the next caller

  @Test
  void theNextCallerFindsNothingOfTheLast() throws SQLException {
    try (RecordedDataSource small = cluster.open(b -> b.max(1).routing(r -> r.probe("1m")))) {
      String backend;
      try (Connection connection = small.writer()) {
        connection.setSchema("pg_catalog");
        connection.setClientInfo("ApplicationName", "ours");
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
        backend = Jdbc.backend(connection);
        assertThat(Jdbc.one(connection, "SHOW search_path")).contains("pg_catalog");
        assertThat(Jdbc.one(connection, "SHOW application_name")).isEqualTo("ours");
        assertThat(Jdbc.one(connection, "SHOW transaction_isolation")).isEqualTo("repeatable read");
      }
      try (Connection connection = small.writer();
          Statement statement = connection.createStatement()) {
        assertThat(Jdbc.backend(connection)).isEqualTo(backend);
        assertThat(Jdbc.one(connection, "SHOW search_path")).contains("public");
        assertThat(Jdbc.one(connection, "SHOW application_name")).isNotEqualTo("ours");
        assertThat(Jdbc.one(connection, "SHOW transaction_isolation")).isEqualTo("read committed");
        statement.execute("SELECT 1");
        assertThat(statement.getResultSetHoldability())
            .isEqualTo(ResultSet.CLOSE_CURSORS_AT_COMMIT);
      }
    }
  }

  @Test
  void aTransactionBegunAsTextEndsWithItsConnection() throws SQLException {
    try (RecordedDataSource small = cluster.open(b -> b.max(1).routing(r -> r.probe("1m")))) {
      try (Connection connection = small.writer()) {
        Jdbc.execute(connection, "BEGIN");
        Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'left open')");
      }
      small.write("INSERT INTO notes VALUES (2, 'kept')");

      try (Connection beside = cluster.primary().connect()) {
        assertThat(Jdbc.one(beside, "SELECT string_agg(title, ',') FROM notes")).isEqualTo("kept");
      }
    }
  }

  @Test
  void anOpenTransactionIsRolledBackAtClose() throws SQLException {
    try (Connection connection = source.writer()) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "INSERT INTO notes VALUES (1, 'left open')");
    }

    assertThat(source.read("SELECT count(*) FROM notes")).isEqualTo("0");
  }

  // ---- what ties a connection to its server

  @Test
  void anOpenResultTiesTheConnection() throws SQLException {
    try (Connection connection = source.reader();
        Statement statement = connection.createStatement()) {
      int replica;
      try (ResultSet rows = statement.executeQuery("SELECT inet_server_port()")) {
        rows.next();
        replica = rows.getInt(1);
        connection.setReadOnly(false);
        assertThat(Jdbc.port(connection)).isEqualTo(replica);
      }

      assertThat(Jdbc.port(connection)).isEqualTo(cluster.primary().port());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET work_mem = '5MB'",
        "SELECT set_config('work_mem', '5MB', false)",
        "LISTEN changes",
        "PREPARE p AS SELECT 1",
        "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
        "SELECT pg_advisory_lock(77)",
        "CREATE TEMP TABLE mine (id int)",
        "BEGIN",
      })
  void sessionStateTiesTheConnection(String sql) throws SQLException {
    try (Connection connection = source.writer()) {
      Jdbc.execute(connection, sql);
      String backend = Jdbc.backend(connection);

      if (!sql.equals("BEGIN")) {
        connection.setReadOnly(true);
      }

      assertThat(Jdbc.backend(connection)).isEqualTo(backend);
      connection.setReadOnly(false);
      Jdbc.execute(connection, sql.equals("BEGIN") ? "COMMIT" : "DISCARD ALL");
    }
  }

  @Test
  void unwrappingTiesTheConnectionAndDistrustsTheSession() throws SQLException {
    source.read("SELECT 1");
    cluster.pauseReplay();
    try (Connection connection = source.writer()) {
      String backend = Jdbc.backend(connection);
      PGConnection driver = connection.unwrap(PGConnection.class);
      Jdbc.execute((Connection) driver, "INSERT INTO notes VALUES (1, 'past us')");

      assertThat(source.read("SELECT count(*) FROM notes")).isEqualTo("1");
      Jdbc.execute((Connection) driver, "INSERT INTO notes VALUES (2, 'past us')");
      assertThat(source.read("SELECT count(*) FROM notes")).isEqualTo("2");
      connection.setReadOnly(true);
      assertThat(Jdbc.backend(connection)).isEqualTo(backend);
    }
    assertThat(source.read("SELECT count(*) FROM notes")).isEqualTo("2");
  }

  @Test
  void settingsMoveWithTheConnection() throws SQLException {
    try (Connection connection = source.reader()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setSchema("pg_catalog");
      connection.setClientInfo("ApplicationName", "ours");
      for (boolean readOnly : new boolean[] {true, false, true}) {
        connection.setReadOnly(readOnly);
        assertThat(
                Arrays.asList(
                    Jdbc.one(connection, "SHOW transaction_isolation"),
                    Jdbc.one(connection, "SHOW search_path"),
                    Jdbc.one(connection, "SHOW application_name"),
                    connection.getClientInfo("ApplicationName")))
            .containsExactly("repeatable read", "pg_catalog", "ours", "ours");
      }
    }
  }

  @Test
  void aLongTextOfParametersArrivesWhole() throws SQLException {
    String text = "é".repeat(100_000);
    try (Connection connection = source.reader();
        PreparedStatement statement = connection.prepareStatement("SELECT length(?)")) {
      statement.setString(1, text);
      assertThat(port(statement)).isEqualTo(100_000);
      statement.setBytes(1, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  // ---- what of the driver's gets into the caller's hands

  @Test
  void anOpenResultOfTheMetadataTiesTheConnectionAndNamesNoneButOurs() throws SQLException {
    try (Connection connection = source.reader()) {
      int replica;
      try (ResultSet tables = connection.getMetaData().getTables(null, null, "notes", null)) {
        assertThat(tables.next()).isTrue();
        assertThat(tables.getString("TABLE_NAME")).isEqualTo("notes");
        assertThat(tables.getStatement()).isNull();
        replica = Jdbc.port(connection);
        assertThat(replica).isNotEqualTo(cluster.primary().port());
        connection.setReadOnly(false);
        assertThat(Jdbc.port(connection)).as("tied").isEqualTo(replica);
      }

      assertThat(Jdbc.port(connection)).isEqualTo(cluster.primary().port());
    }
  }

  private interface HandingOut {
    Connection driver(Connection connection) throws SQLException;
  }

  static Stream<Arguments> waysToTheDriver() {
    return Stream.of(
        Arguments.argumentSet(
            "the connection",
            (HandingOut) connection -> (Connection) connection.unwrap(PGConnection.class)),
        Arguments.argumentSet(
            "a statement",
            (HandingOut)
                connection ->
                    connection.createStatement().unwrap(PgStatement.class).getConnection()),
        Arguments.argumentSet(
            "a prepared statement",
            (HandingOut)
                connection ->
                    connection
                        .prepareStatement("SELECT 1")
                        .unwrap(PgStatement.class)
                        .getConnection()),
        Arguments.argumentSet(
            "a result",
            (HandingOut)
                connection ->
                    connection
                        .createStatement()
                        .executeQuery("SELECT 1")
                        .unwrap(PgResultSet.class)
                        .getStatement()
                        .getConnection()),
        Arguments.argumentSet(
            "the metadata",
            (HandingOut)
                connection ->
                    connection.getMetaData().unwrap(PgDatabaseMetaData.class).getConnection()));
  }

  @ParameterizedTest
  @MethodSource("waysToTheDriver")
  void whoGotHoldOfTheDriverMayHaveWrittenWithIt(HandingOut way) throws SQLException {
    try (Connection connection = source.writer()) {
      Connection driver = way.driver(connection);
      for (int i = 1; i <= 2; i++) {
        cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
        source.read("SELECT 1"); // nothing that was written before is a reason to look
        cluster.pauseReplay();
        Jdbc.execute(driver, "INSERT INTO notes VALUES (" + i + ", 'past us')");
        assertThat(source.read("SELECT count(*) FROM notes")).isEqualTo(String.valueOf(i));
        assertThat(source.lastReason()).isEqualTo("fallback:behind");
        cluster.resumeReplay();
      }
      cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
      cluster.pauseReplay();
      Jdbc.execute(driver, "INSERT INTO notes VALUES (3, 'past us')");
    }
    assertThat(source.read("SELECT count(*) FROM notes")).isEqualTo("3");
  }

  @Test
  void aCursorThatACallReturnsIsTheCallersOwnToo() throws SQLException {
    cluster.onPrimary(
        "CREATE OR REPLACE FUNCTION opened() RETURNS refcursor LANGUAGE plpgsql AS"
            + " 'DECLARE c refcursor; BEGIN OPEN c FOR SELECT 7; RETURN c; END'");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
    try (Connection connection = source.reader()) {
      connection.setAutoCommit(false);
      try (CallableStatement call = connection.prepareCall("{? = call opened()}")) {
        call.registerOutParameter(1, Types.REF_CURSOR);
        call.execute();
        try (ResultSet rows = (ResultSet) call.getObject(1)) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(7);
          assertThat(rows.getStatement()).isSameAs(call);
        }
      }
      try (Statement statement = connection.createStatement();
          ResultSet cursors = statement.executeQuery("SELECT opened()")) {
        assertThat(cursors.next()).isTrue();
        try (ResultSet rows = (ResultSet) cursors.getObject(1)) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getStatement()).isSameAs(statement);
        }
      }
    }
  }

  @Test
  void aResultEndsWithItsStatementAndTiesNoLonger() throws SQLException {
    try (Connection connection = source.reader()) {
      Statement statement = connection.createStatement();
      ResultSet rows = statement.executeQuery("SELECT generate_series(1, 3)");
      assertThat(rows.next()).isTrue();

      statement.close();
      statement.close();

      assertThat(rows.isClosed()).isTrue();
      assertThatThrownBy(rows::next).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> statement.executeQuery("SELECT 1")).hasMessageStartingWith("WM1848");
      connection.setReadOnly(false);
      assertThat(Jdbc.port(connection)).isEqualTo(cluster.primary().port());
    }
  }

  @Test
  void executingAStatementAgainEndsItsResult() throws SQLException {
    try (Connection connection = source.reader();
        Statement statement = connection.createStatement()) {
      ResultSet first = statement.executeQuery("SELECT 1");
      ResultSet second = statement.executeQuery("SELECT 2");

      assertThat(first.isClosed()).isTrue();
      assertThat(second.next()).isTrue();
      assertThat(second.getInt(1)).isEqualTo(2);
    }
  }

  @Test
  void aStatementThatClosesOnCompletionClosesWithItsResult() throws SQLException {
    try (Connection connection = source.reader();
        Statement statement = connection.createStatement()) {
      statement.closeOnCompletion();
      statement.executeQuery("SELECT 1").close();

      assertThat(statement.isClosed()).isTrue();
    }
  }

  @Test
  void copyAndLargeObjectsAreTheDriversAndSeenByTheSession() throws SQLException, IOException {
    source.read("SELECT 1");
    cluster.pauseReplay();
    long large;
    try (Connection connection = source.writer()) {
      PGConnection driver = connection.unwrap(PGConnection.class);
      driver.getCopyAPI().copyIn("COPY notes FROM STDIN", new StringReader("1\tcopied\n"));
      assertThat(source.read("SELECT title FROM notes")).isEqualTo("copied");

      connection.setAutoCommit(false);
      LargeObjectManager objects = driver.getLargeObjectAPI();
      large = objects.createLO();
      try (LargeObject object = objects.open(large)) {
        object.write("large".getBytes(StandardCharsets.US_ASCII));
      }
      connection.commit();
    }

    assertThat(source.read("SELECT convert_from(lo_get(" + large + "), 'UTF8')"))
        .isEqualTo("large");
    assertThat(source.lastReason()).isEqualTo("fallback:behind");
  }

  @Test
  void whatIsDeclaredAfterUnwrappingReachesTheDriverAtOnce() throws SQLException {
    try (Connection connection = source.writer()) {
      Connection driver = (Connection) connection.unwrap(PGConnection.class);

      connection.setAutoCommit(false);
      assertThat(driver.getAutoCommit()).isFalse();
      Jdbc.execute(driver, "INSERT INTO notes VALUES (1, 'in the transaction')");
      connection.rollback();
      connection.setReadOnly(true);
      assertThat(driver.isReadOnly()).isTrue();
      connection.setReadOnly(false);
      connection.setAutoCommit(true);
      assertThat(driver.getAutoCommit()).isTrue();

      assertThat(Jdbc.one(driver, "SELECT count(*) FROM notes")).isEqualTo("0");
    }
  }

  @Test
  void aBlobIsAParameterAndAValueLikeAnyOther() throws SQLException {
    cluster.onPrimary("CREATE TABLE IF NOT EXISTS pictures (data oid)", "TRUNCATE pictures");
    byte[] picture = {1, 2, 3};
    try (Connection connection = source.writer();
        PreparedStatement statement =
            connection.prepareStatement("INSERT INTO pictures VALUES (?)")) {
      connection.setAutoCommit(false);
      statement.setBlob(1, new ByteArrayInputStream(picture), picture.length);
      statement.executeUpdate();
      connection.commit();
    }
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);

    try (Connection connection = source.reader();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      try (ResultSet rows = statement.executeQuery("SELECT data FROM pictures")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getBlob(1).getBytes(1, 3)).containsExactly(picture);
      }
      assertThat(source.lastReason()).startsWith("auto:");
      connection.commit();
    }
  }

  @Test
  void thereAreNoDistributedTransactions() throws SQLException {
    try (Connection connection = source.writer()) {
      assertThat(source.db()).isNotInstanceOf(XADataSource.class);
      assertThat(connection).isNotInstanceOf(XAConnection.class);
      assertThat(connection.isWrapperFor(XAConnection.class)).isFalse();
      assertThatThrownBy(() -> connection.unwrap(XAConnection.class))
          .hasMessageContaining("does not wrap");
      assertThatThrownBy(() -> source.db().unwrap(XADataSource.class))
          .hasMessageContaining("does not wrap");
    }
  }

  @Test
  void aConnectionOfAnotherUserIsRefused() {
    assertThatThrownBy(() -> source.db().getConnection("clerk", "hunter2"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"))
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void aPreparedStatementTakesNoOtherText() throws SQLException {
    try (Connection connection = source.writer();
        PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
      String other = "INSERT INTO notes VALUES (1, 'other')";
      List<ThrowingCallable> calls =
          List.of(
              () -> statement.execute(other),
              () -> statement.execute(other, Statement.RETURN_GENERATED_KEYS),
              () -> statement.executeQuery(other),
              () -> statement.executeUpdate(other, new int[] {1}),
              () -> statement.executeLargeUpdate(other, new String[] {"id"}),
              () -> statement.addBatch(other));
      assertThat(calls)
          .allSatisfy(
              call ->
                  assertThatThrownBy(call)
                      .isInstanceOfSatisfying(
                          SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42601")));
      assertThat(source.events()).isEmpty();
    }
  }
}
