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

/** What the fan-out's statements touch on PostgreSQL, with many rows pending. */
class PostgresFanoutPlansTest {
  private static final int ROWS = 30_000;

  private final PostgresDatabase database = new PostgresDatabase();
  private final PostgresPlans plans = new PostgresPlans(database);
  private final DurableStore store = database.store().open();
  private final FanoutSql sql = new FanoutSql(store);

  /** Target 1 has new rows, rows that were attempted and dead letters, as many of each. */
  @BeforeEach
  void fill() throws SQLException {
    store.migrate(FanoutSql.MIGRATIONS);
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO waymark_fanout_message (fanout, remaining, accepted_at, dedup_key,"
              + " generation, message_id, targets, body) SELECT 1, 1, n, 'key-' || n, 'g-' || n,"
              + " 'id', '1', 'body' FROM generate_series(1, "
              + ROWS
              + ") n");
      statement.execute(
          "INSERT INTO waymark_fanout_delivery (target, due_at, message, phase, attempts)"
              + " SELECT 1, n, n, n % 3, n % 3 FROM generate_series(1, "
              + ROWS
              + ") n");
      connection.commit();
      connection.setAutoCommit(true);
      statement.execute("VACUUM ANALYZE waymark_fanout_message, waymark_fanout_delivery");
    }
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  private static String with(String text, Map<String, String> values) {
    return PostgresPlans.with(text, values);
  }

  @Test
  void theAlarmAndTheClaimsReadTheEarliestRowsByTheIndex() throws SQLException {
    Map<String, String> values =
        Map.of("target", "1", "owner", "'me'", "token", "1", "lease", "40000000");
    for (String text : List.of(sql.untilDue, sql.untilDeadDue)) {
      String alarm = plans.explained(with(text, values));
      assertThat(alarm).contains("waymark_fanout_due").doesNotContain("Sort Method", "Seq Scan");
      assertThat(PostgresPlans.first(PostgresPlans.BUFFERS, alarm))
          .as(alarm)
          .isLessThanOrEqualTo(12);
    }
    String claim = plans.explained(with(sql.claim(10), values));
    assertThat(claim).contains("waymark_fanout_due").doesNotContain("Seq Scan");
    // What is sorted are the few rows of the two queues that might be taken.
    assertThat(PostgresPlans.first(PostgresPlans.BUFFERS, claim))
        .as(claim)
        .isLessThanOrEqualTo(300);
    String dead = plans.explained(with(sql.claimDead, values));
    assertThat(dead).contains("waymark_fanout_due").doesNotContain("Sort", "Seq Scan");
    assertThat(PostgresPlans.first(PostgresPlans.BUFFERS, dead)).as(dead).isLessThanOrEqualTo(60);
  }

  @Test
  void settlingTouchesItsRowsByTheirNumbers() throws SQLException {
    Map<String, String> values =
        Map.of(
            "ids", "'{7,8,9}'",
            "owner", "'me'",
            "token", "1",
            "wait", "1000000",
            "error", "'late'",
            "reason", "'EXPLICIT'",
            "attempts", "1");
    for (String text :
        List.of(
            sql.messages,
            sql.again,
            sql.giveBack,
            sql.dead,
            sql.remove,
            sql.settleMessages,
            sql.removeMessages)) {
      String plan = plans.explained(with(text, values));

      assertThat(plan).contains("_pkey").doesNotContain("Seq Scan");
      assertThat(PostgresPlans.first(PostgresPlans.BUFFERS, plan)).as(plan).isLessThanOrEqualTo(60);
    }
  }
}
