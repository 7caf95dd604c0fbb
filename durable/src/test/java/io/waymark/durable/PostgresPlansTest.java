package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the outbox's statements touch on PostgreSQL, in a table with many rows. */
class PostgresPlansTest {
  private static final int PENDING = 20_000;
  private static final int SETTLED = 30_000;
  private static final Pattern RECORDS = Pattern.compile("WAL: records=(\\d+)");
  private static final Pattern BUFFERS = Pattern.compile("Buffers: shared hit=(\\d+)");

  private final PostgresDatabase database = new PostgresDatabase();
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

  /** Runs a statement in a transaction that is rolled back; what it did, as the server says. */
  private String explained(String text) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("EXPLAIN (ANALYZE, BUFFERS, WAL, COSTS OFF) " + text)) {
      List<String> lines = new ArrayList<>();
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
      return String.join("\n", lines);
    }
  }

  /** Puts literals where a statement has parameters. */
  private static String with(String text, Map<String, String> values) {
    String filled = text;
    for (Map.Entry<String, String> each : values.entrySet()) {
      filled = filled.replaceAll("(?<!:):" + each.getKey() + "\\b", each.getValue());
    }
    return filled;
  }

  private String staged(String key) {
    return sql.stage
        .replaceFirst("\\?", "'letters'")
        .replaceFirst("\\?", "'" + key + "'")
        .replaceFirst("\\?", "'value'");
  }

  private static int first(Pattern pattern, String plan) {
    Matcher found = pattern.matcher(plan);
    assertThat(found.find()).as("%s in%n%s", pattern, plan).isTrue();
    return Integer.parseInt(found.group(1));
  }

  @Test
  void aNewKeyIsOneRowAndTwoIndexEntries() throws SQLException {
    String plan = explained(staged("new"));

    // The row, its speculative mark taken off, two index entries; and the sequence now and then.
    assertThat(first(RECORDS, plan)).as(plan).isLessThanOrEqualTo(5);
    assertThat(first(BUFFERS, plan)).as(plan).isLessThanOrEqualTo(60);
  }

  @Test
  void aKeyThatIsDueIsReplacedWithoutTouchingAnIndex() throws SQLException {
    // Room in the page, as the fill factor leaves it in a table that was not filled at once.
    execute("UPDATE waymark_outbox SET attempts = 0 WHERE item_key = 'pending-7'");

    String plan = explained(staged("pending-7"));

    assertThat(first(RECORDS, plan))
        .as("a row lock and an update in its page%n%s", plan)
        .isLessThanOrEqualTo(3);
  }

  @Test
  void theAlarmAndTheClaimReadTheEarliestRowByTheIndex() throws SQLException {
    String alarm = explained(with(sql.untilDue, Map.of("channel", "'letters'")));
    String claim =
        explained(
            with(
                sql.claim,
                Map.of(
                    "channel", "'letters'", "owner", "'me'", "token", "1", "lease", "40000000")));

    assertThat(alarm).contains("waymark_outbox_due").doesNotContain("Sort", "Seq Scan");
    assertThat(first(BUFFERS, alarm)).as(alarm).isLessThanOrEqualTo(6);
    assertThat(claim).contains("waymark_outbox_due").doesNotContain("Sort", "Seq Scan");
    assertThat(first(BUFFERS, claim)).as(claim).isLessThanOrEqualTo(40);
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
      String plan = explained(with(text, values));

      assertThat(plan).contains("waymark_outbox_pkey").doesNotContain("Seq Scan");
      assertThat(first(BUFFERS, plan)).as(plan).isLessThanOrEqualTo(40);
    }
  }

  @Test
  void theSweepReadsNoMoreThanItRemoves() throws SQLException {
    String sweep =
        explained(
            with(
                sql.sweep,
                Map.of(
                    "channel", "'letters'",
                    "keep", "0",
                    "below", Long.toString(Long.MAX_VALUE),
                    "most", "100")));
    String channels = explained(sql.channels);

    assertThat(sweep).contains("waymark_outbox_due").doesNotContain("Sort", "Seq Scan");
    assertThat(first(BUFFERS, sweep)).as(sweep).isLessThanOrEqualTo(1_000);
    assertThat(channels).doesNotContain("Seq Scan");
    assertThat(first(BUFFERS, channels)).as(channels).isLessThanOrEqualTo(12);
  }
}
