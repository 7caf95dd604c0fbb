package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Settled rows are removed on PostgreSQL without a version going back, whoever stages meanwhile.
 */
class VersionHorizonTest {
  private static final Channel<String> LETTERS = Channel.of("letters", Codec.text());
  private static final Duration KEEP = Duration.ofMinutes(10);
  private static final int LATE_LOCK = 4711;

  private final PostgresDatabase database = new PostgresDatabase();
  private final TestTime time = new TestTime();
  private final DurableStore store = database.store(time).open();
  private final Outbox outbox = Outbox.builder(store).build();
  private final OutboxTable table = new OutboxTable(store, new OutboxSql(store), "me");
  private final VersionHorizon horizon = new VersionHorizon(table, Dialect.POSTGRES);

  @AfterEach
  void close() {
    outbox.close();
    store.close();
    database.close();
  }

  /** Stages and delivers, and lets so much time pass that the row may be forgotten. */
  private long settledLongAgo(String key) {
    long version =
        store
            .inTransaction(tx -> outbox.stageTracked(tx, LETTERS.item(key, "v")))
            .version(LETTERS, key);
    table.delivered(table.claim("letters", version, Duration.ofSeconds(40)).orElseThrow());
    time.advance(Duration.ofMinutes(30));
    return version;
  }

  private int sweep() {
    return table.sweep(KEEP, horizon.look(), 1_000);
  }

  @Test
  void whatIsSettledIsRemovedAtTheSecondLook() {
    settledLongAgo("ada");

    assertThat(sweep()).as("whoever was staging at the first look may be older").isZero();
    assertThat(sweep()).isEqualTo(1);
    assertThat(outbox.find(LETTERS, "ada")).isEmpty();
  }

  @Test
  void nothingIsRemovedWhileATransactionIsOpenThatMayHaveDrawnAnOlderVersion() throws SQLException {
    settledLongAgo("ada");
    try (Connection open = database.connect()) {
      outbox.stageTracked(open, LETTERS.item("bob", "v"));
      for (int i = 0; i < 3; i++) {
        assertThat(sweep()).isZero();
      }
      open.commit();

      assertThat(sweep()).isEqualTo(1);
    }
  }

  @Test
  void aTransactionThatBeganLaterHoldsNothingUp() throws SQLException {
    settledLongAgo("ada");
    assertThat(sweep()).isZero();
    try (Connection open = database.connect()) {
      outbox.stageTracked(open, LETTERS.item("bob", "v"));

      assertThat(sweep()).isEqualTo(1);
      open.rollback();
    }
  }

  @Test
  void aTransactionOfOtherTablesHoldsNothingUp() throws SQLException {
    settledLongAgo("ada");
    try (Connection open = database.connect();
        Statement statement = open.createStatement()) {
      statement.execute("CREATE TABLE orders (id int)");
      statement.execute("INSERT INTO orders VALUES (1)");
      assertThat(sweep()).isZero();

      assertThat(sweep()).isEqualTo(1);
      open.rollback();
    }
  }

  @Test
  void whoeverDrewAVersionAndWasHeldUpBeforeInsertingItDoesNotGoBack() throws Exception {
    holdUpLateInserts();
    try (Connection gate = database.connect();
        Connection slow = database.connect();
        Statement statement = gate.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + LATE_LOCK + ")");
      CompletableFuture<Long> late =
          CompletableFuture.supplyAsync(() -> stageAndCommit(slow, LETTERS.item("ada", "late")));
      await().atMost(Duration.ofSeconds(20)).until(() -> waiting(statement) == 1);

      long newer = settledLongAgo("ada");
      for (int i = 0; i < 3; i++) {
        assertThat(sweep()).isZero();
      }
      gate.commit();

      assertThat(late.get(20, TimeUnit.SECONDS)).isGreaterThan(newer);
    }
  }

  /** Stops between drawing a version, which is done when triggers run, and inserting the row. */
  private void holdUpLateInserts() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE FUNCTION hold_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
              + " IF NEW.payload = 'late' THEN PERFORM pg_advisory_xact_lock("
              + LATE_LOCK
              + "); END IF; RETURN NEW; END $$");
      statement.execute(
          "CREATE TRIGGER hold_up BEFORE INSERT ON waymark_outbox"
              + " FOR EACH ROW EXECUTE FUNCTION hold_up()");
      connection.commit();
    }
  }

  private long stageAndCommit(Connection connection, Item item) {
    try {
      StagedVersions staged = outbox.stageTracked(connection, item);
      connection.commit();
      return staged.version(LETTERS, item.key());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int waiting(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                + " AND objid = "
                + LATE_LOCK)) {
      row.next();
      return row.getInt(1);
    }
  }
}
