package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the outbox's statements touch on PostgreSQL, in a table with many rows. */
class PostgresPlansTest {
  private static final int PENDING = 20_000;
  private static final int SETTLED = 30_000;

  private final PostgresDatabase database = new PostgresDatabase();
  private final PostgresPlans plans = new PostgresPlans(database);
  private final DurableStore store = database.store().open();
  private final OutboxSql sql = new OutboxSql(store);

  @BeforeEach
  void fill() throws SQLException {
    execute(
        "INSERT INTO waymark_outbox (channel, item_key, version, payload, staged_at, due_at)"
            + " SELECT 'letters', 'pending-' || n, nextval('waymark_outbox_version'), 'v', n, n"
            + " FROM generate_series(1, "
            + PENDING
            + ") n",
        "INSERT INTO waymark_outbox (channel, item_key, version, staged_at, settled_at)"
            + " SELECT 'letters', 'settled-' || n, nextval('waymark_outbox_version'), n, n"
            + " FROM generate_series(1, "
            + SETTLED
            + ") n");
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      statement.execute("VACUUM ANALYZE waymark_outbox");
    }
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  private void execute(String... statements) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
      connection.commit();
    }
  }

  private String staged(String key) {
    return sql.stage
        .replaceFirst("\\?", "'letters'")
        .replaceFirst("\\?", "'" + key + "'")
        .replaceFirst("\\?", "'value'");
  }

  @Test
  void aNewKeyIsOneRowAndTwoIndexEntries() throws SQLException {
    String plan = plans.explained(staged("new"));

    // The row, its speculative mark taken off, two index entries; and the sequence now and then.
    assertThat(PostgresPlans.first(PostgresPlans.RECORDS, plan)).as(plan).isLessThanOrEqualTo(5);
    assertThat(PostgresPlans.first(PostgresPlans.BUFFERS, plan)).as(plan).isLessThanOrEqualTo(60);
  }

  @Test
  void aKeyThatIsDueIsReplacedWithoutTouchingAnIndex() throws SQLException {
    // Room in the page, as the fill factor leaves it in a table that was not filled at once.
    execute("UPDATE waymark_outbox SET attempts = 0 WHERE item_key = 'pending-7'");

    String plan = plans.explained(staged("pending-7"));

    assertThat(PostgresPlans.first(PostgresPlans.RECORDS, plan))
        .as("a row lock and an update in its page%n%s", plan)
        .isLessThanOrEqualTo(3);
  }

  @Test
  void theAlarmAndTheClaimReadTheEarliestRowByTheIndex() throws SQLException {
    String alarm =
        plans.explained(PostgresPlans.with(sql.untilDue, Map.of("channel", "'letters'")));
    String claim =
        plans.explained(
            PostgresPlans.with(
                sql.claim,
                Map.of(
                    "channel", "'letters'", "owner", "'me'", "token", "1", "lease", "40000000")));

    assertThat(alarm).contains("waymark_outbox_due").doesNotContain("Sort", "Seq Scan");
    assertThat(PostgresPlans.first(PostgresPlans.BUFFERS, alarm)).as(alarm).isLessThanOrEqualTo(6);
    assertThat(claim).contains("waymark_outbox_due").doesNotContain("Sort", "Seq Scan");
    assertThat(PostgresPlans.first(PostgresPlans.BUFFERS, claim)).as(claim).isLessThanOrEqualTo(40);
  }

  @Test
  void settlingTouchesOneRowByItsKey() throws SQLException {
    execute(
        "UPDATE waymark_outbox SET claim_owner = 'me', claim_token = 1"
            + " WHERE item_key = 'pending-7'");
    Map<String, String> values =
        Map.of(
            "channel", "'letters'",
            "key", "'pending-7'",
            "owner", "'me'",
            "token", "1",
            "version", "7",
            "wait", "1000000",
            "error", "'late'",
            "attempts", "1");
    for (String text : List.of(sql.delivered, sql.again, sql.claimOf)) {
      String plan = plans.explained(PostgresPlans.with(text, values));

      assertThat(plan).contains("waymark_outbox_pkey").doesNotContain("Seq Scan");
      assertThat(PostgresPlans.first(PostgresPlans.BUFFERS, plan)).as(plan).isLessThanOrEqualTo(40);
    }
  }

  @Test
  void theSweepReadsNoMoreThanItRemoves() throws SQLException {
    String sweep =
        plans.explained(
            PostgresPlans.with(
                sql.sweep,
                Map.of(
                    "channel", "'letters'",
                    "keep", "0",
                    "below", Long.toString(Long.MAX_VALUE),
                    "most", "100")));
    String channels = plans.explained(sql.channels);

    assertThat(sweep).contains("waymark_outbox_due").doesNotContain("Sort", "Seq Scan");
    assertThat(PostgresPlans.first(PostgresPlans.BUFFERS, sweep))
        .as(sweep)
        .isLessThanOrEqualTo(1_000);
    assertThat(channels).doesNotContain("Seq Scan");
    assertThat(PostgresPlans.first(PostgresPlans.BUFFERS, channels))
        .as(channels)
        .isLessThanOrEqualTo(12);
  }
}
