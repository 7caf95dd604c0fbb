package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.SettableTicker;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.core.BaseConnection;

/**
 * Why a token is what it is: each simpler form is shown to be wrong on a real server, beside the
 * form that is used being right in the same run.
 *
 * <p>The servers' own background writes could hide what is shown; they are slowed down, and a
 * demonstration that one of them still hits is set up again.
 */
class TokenProofTest {
  private static final long PAGE = 8192;
  private static final long SEGMENT = 16L << 20;
  private static final int TRIES = 30;
  private static final Duration LONG_ENOUGH = Duration.ofMillis(300);

  private static PostgresCluster cluster;
  private static PostgresNode primary;
  private static PostgresNode replica;

  private Connection writer;
  private Connection beside;
  private Connection standby;
  private PhysicalConnection physical;
  private int rows;

  @BeforeAll
  static void start() throws SQLException {
    cluster =
        PostgresCluster.builder()
            .replicas(1)
            .proxied(false)
            .setting("synchronous_commit", "on")
            .setting("wal_writer_delay", "10s")
            .setting("autovacuum", "off")
            .setting("checkpoint_timeout", "1h")
            .start();
    primary = cluster.primary();
    replica = cluster.replica(1);
    try (Connection connection = primary.connect()) {
      Jdbc.execute(connection, "CREATE TABLE notes (id int)");
    }
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void open() throws SQLException {
    writer = primary.connect();
    beside = primary.connect();
    Jdbc.execute(writer, "TRUNCATE notes");
    replica.awaitCaughtUp();
    standby = replica.connect();
    writer.setAutoCommit(false);
    ServerQueries.Introduction introduction = ServerQueries.introduce(writer);
    writer.commit();
    physical = new PhysicalConnection(writer.unwrap(BaseConnection.class), introduction, 0, false);
  }

  @AfterEach
  void close() throws SQLException {
    writer.close();
    beside.close();
    standby.close();
  }

  // ---- the parts

  private static long lsn(Connection connection, String function) throws SQLException {
    return Lsn.parse(Jdbc.one(connection, "SELECT " + function + "()"));
  }

  private long insert() throws SQLException {
    return lsn(beside, "pg_current_wal_insert_lsn");
  }

  private long replay() throws SQLException {
    return lsn(standby, "pg_last_wal_replay_lsn");
  }

  private boolean rowIsThere() throws SQLException {
    return !Jdbc.one(standby, "SELECT id FROM notes WHERE id = " + rows).equals("nothing");
  }

  private void insertRow() throws SQLException {
    rows++;
    Jdbc.execute(writer, "INSERT INTO notes VALUES (" + rows + ")");
  }

  private CommitProtocol.Committed.At commit() throws SQLException {
    return (CommitProtocol.Committed.At) CommitProtocol.commit(physical);
  }

  private void flush() throws SQLException {
    Jdbc.execute(beside, "SELECT pg_logical_emit_message(true, 'test', '')");
  }

  private boolean reached(long token) throws SQLException {
    return Lsn.reached(replay(), token);
  }

  private void awaitReached(long token) {
    await().atMost(Duration.ofSeconds(5)).until(() -> reached(token));
  }

  /** For so long that a standby with nothing else to do would have replayed it many times. */
  private boolean staysUnreached(long token) throws SQLException, InterruptedException {
    long until = System.nanoTime() + LONG_ENOUGH.toNanos();
    while (System.nanoTime() < until) {
      if (reached(token)) {
        return false;
      }
      Thread.sleep(20);
    }
    return true;
  }

  private static Sighting look(Connection connection, Token... asked) throws SQLException {
    ServerQueries.Introduction who = ServerQueries.introduce(connection);
    List<Token> tokens = List.of(asked);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(ServerQueries.probe(who.rights(), tokens))) {
      row.next();
      return ServerQueries.sighting(row, who, tokens, 1, 0, 0);
    }
  }

  private static ReplicaSetView view(Sighting primary, Sighting replica) {
    List<Endpoint> endpoints = Views.endpoints(Views.builder(1, new SettableTicker()).config());
    return ReplicaSetView.of(endpoints)
        .with(endpoints.get(0), primary)
        .with(endpoints.get(1), replica);
  }

  // ---- before the commit

  @Test
  void aPositionReadTogetherWithTheWriteLiesBeforeItsCommit() throws SQLException {
    replica.applyDelay(Duration.ofMinutes(5)); // holds commits back, and nothing before them
    try {
      rows++;
      long naive;
      try (Statement statement = beside.createStatement()) {
        statement.execute(
            "INSERT INTO notes VALUES (" + rows + "); SELECT pg_current_wal_insert_lsn()");
        statement.getMoreResults();
        try (ResultSet row = statement.getResultSet()) {
          row.next();
          naive = Lsn.parse(row.getString(1));
        }
      }
      awaitReached(naive);
      assertThat(rowIsThere()).as("the standby is where the naive token says").isFalse();

      insertRow();
      long token = commit().lsn();

      assertThat(reached(token)).isFalse();
      assertThat(rowIsThere()).isFalse();
      replica.applyDelay(Duration.ZERO);
      awaitReached(token);
      assertThat(rowIsThere()).isTrue();
    } finally {
      replica.applyDelay(Duration.ZERO);
    }
  }

  // ---- unflushed commits

  @ParameterizedTest
  @ValueSource(strings = {"pg_current_wal_lsn", "pg_current_wal_flush_lsn"})
  void neitherTheWriteNorTheFlushPositionIsBehindAnUnflushedCommit(String function)
      throws SQLException, InterruptedException {
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      flush();
      Jdbc.execute(writer, "SET LOCAL synchronous_commit = off");
      insertRow();
      long token = commit().lsn();
      long naive = lsn(beside, function);
      awaitReached(naive);
      if (!rowIsThere() && staysUnreached(token)) {
        assertThat(naive).isLessThan(token);
        assertThat(rowIsThere()).as("the standby is where the naive token says").isFalse();

        flush();

        awaitReached(token);
        assertThat(rowIsThere()).isTrue();
        return;
      }
    }
    throw new AssertionError("the log was always flushed from beside");
  }

  // ---- boundaries

  private static final int FILLER = 100;

  private void fill(int length) throws SQLException {
    Jdbc.one(writer, "SELECT pg_logical_emit_message(true, 'test', repeat('x', " + length + "))");
  }

  /** Commits so that the commit record ends exactly with a page, if nobody writes in between. */
  private void commitAtTheEndOfAPage() throws SQLException {
    if (PAGE - insert() % PAGE < PAGE / 2) {
      // Not enough room left for what follows: on to the next page.
      fill((int) (PAGE - insert() % PAGE));
      commit();
    }
    insertRow();
    long before = insert();
    fill(FILLER);
    long filled = insert();
    commit();
    long committed = insert();
    insertRow();
    long room = PAGE - insert() % PAGE;
    fill((int) (room - (committed - filled) - (filled - before) + FILLER));
    commit();
  }

  @Test
  void theInsertPositionAtTheEndOfAPageIsOneThatNoStandbyReaches()
      throws SQLException, InterruptedException {
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      commitAtTheEndOfAPage();
      long naive = insert();
      if (naive % PAGE != 24) {
        continue;
      }
      long token = Lsn.normalised(naive, PAGE, SEGMENT);
      awaitReached(token);
      assertThat(rowIsThere()).isTrue();
      if (staysUnreached(naive)) {
        assertThat(token).isEqualTo(naive - 24);
        assertThat(replay()).as("caught up").isEqualTo(token);
        assertThat(lsn(beside, "pg_current_wal_flush_lsn")).isEqualTo(token);
        return;
      }
    }
    throw new AssertionError("no commit ended with a page undisturbed");
  }

  @Test
  void theInsertPositionAtTheStartOfASegmentIsOneThatNoStandbyReaches()
      throws SQLException, InterruptedException {
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      insertRow();
      commit();
      Jdbc.one(beside, "SELECT pg_switch_wal()");
      long naive = insert();
      if (naive % SEGMENT != 40) {
        continue;
      }
      long token = Lsn.normalised(naive, PAGE, SEGMENT);
      awaitReached(token);
      assertThat(rowIsThere()).isTrue();
      if (staysUnreached(naive)) {
        assertThat(token).isEqualTo(naive - 40);
        assertThat(replay()).as("caught up").isEqualTo(token);
        return;
      }
    }
    throw new AssertionError("no segment began undisturbed");
  }

  // ---- other sessions

  @Test
  void theInsertPositionWaitsForTheUnflushedLogOfOthers()
      throws SQLException, InterruptedException {
    beside.setAutoCommit(false);
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      insertRow();
      CommitProtocol.Committed.At token = commit();
      Jdbc.execute(beside, "INSERT INTO notes VALUES (-1)"); // and then it thinks
      long naive = Lsn.normalised(insert(), PAGE, SEGMENT);
      awaitReached(token.lsn());
      assertThat(rowIsThere()).isTrue();
      if (naive > token.lsn() && staysUnreached(naive)) {
        Sighting seen = look(beside);
        History history = Objects.requireNonNull(seen.history());
        Token late = new Token(history, naive, token.xid());

        Sighting there = look(standby, late);

        assertThat(there.committed()).containsExactly(token.xid());
        ReplicaSetView view = view(seen, there);
        assertThat(view.covers(there, late)).as("its transaction is committed there").isTrue();
        assertThat(view.covers(there, new Token(history, naive, Token.NO_XID))).isFalse();
        return;
      }
    }
    throw new AssertionError("the log was always flushed from beside");
  }

  // ---- transactions

  @Test
  void aStandbysSnapshotTakesARunningTransactionForVisible() throws SQLException {
    beside.setAutoCommit(false);
    rows = -2;
    Jdbc.execute(beside, "INSERT INTO notes VALUES (-2)");
    String xid = Jdbc.one(beside, "SELECT pg_current_xact_id()");
    Jdbc.execute(writer, "INSERT INTO notes VALUES (0)");
    awaitReached(commit().lsn());

    assertThat(
            Jdbc.one(
                standby,
                "SELECT pg_visible_in_snapshot('" + xid + "'::xid8, pg_current_snapshot())"))
        .isEqualTo("t");
    assertThat(rowIsThere()).isFalse();
    assertThat(Jdbc.one(standby, "SELECT pg_xact_status('" + xid + "')")).isEqualTo("in progress");

    long number = Long.parseUnsignedLong(xid);
    Token token = new Token(new History(Views.FIRST, 1), Long.MAX_VALUE, number);
    assertThat(look(standby, token).committed()).isEmpty();
    beside.commit();
    await().until(() -> look(standby, token).committed().contains(number));
    assertThat(rowIsThere()).isTrue();
  }

  @Test
  void aTransactionThatTheStandbyHasNotHeardOfIsNotAskedAbout() throws SQLException {
    insertRow();
    long known = commit().xid();
    awaitReached(insert());
    long unheard = known + 1_000_000;

    assertThatThrownBy(() -> Jdbc.one(standby, "SELECT pg_xact_status('" + unheard + "')"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"));

    History history = new History(Views.FIRST, 1);
    Sighting seen =
        look(
            standby,
            new Token(history, Long.MAX_VALUE, unheard),
            new Token(history, Long.MAX_VALUE, known));
    assertThat(seen.committed()).containsExactly(known);
  }

  // ---- other histories

  @Test
  void aPositionMeansNothingInAnotherHistory() throws SQLException {
    try (PostgresCluster lossy = PostgresCluster.builder().replicas(2).proxied(false).start()) {
      try (Connection old = lossy.primary().connect()) {
        Jdbc.execute(old, "CREATE TABLE notes (id int)");
        lossy.awaitCaughtUp();
        lossy.replica(1).detach();
        // What the server that is promoted next never gets, and the other standby does.
        Jdbc.execute(old, "INSERT INTO notes SELECT generate_series(1, 1000)");
      }
      lossy.replica(2).awaitCaughtUp();
      lossy.replica(1).promote();
      try (Connection next = lossy.replica(1).connect();
          Connection left = lossy.replica(2).connect()) {
        Jdbc.execute(next, "INSERT INTO notes VALUES (-1)");
        Sighting now = look(next);
        Sighting behind = look(left);
        History history = Objects.requireNonNull(now.history());
        Token token = new Token(history, now.position(), Token.NO_XID);

        assertThat(Lsn.reached(behind.replay(), token.lsn())).as("by bare comparison").isTrue();
        assertThat(Jdbc.one(left, "SELECT count(*) FROM notes WHERE id = -1")).isEqualTo("0");

        assertThat(view(now, behind).covers(behind, token)).isFalse();
      }
    }
  }
}
