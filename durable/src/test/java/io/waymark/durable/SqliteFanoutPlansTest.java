package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How SQLite finds the fan-out's rows: by an index or a number, never by going through all. */
class SqliteFanoutPlansTest {
  @Test
  void noStatementGoesThroughAllRowsAndNoneSortsThem() throws SQLException {
    try (SqliteDatabase database = new SqliteDatabase();
        DurableStore store = database.store().open()) {
      store.migrate(FanoutSql.MIGRATIONS);
      FanoutSql sql = new FanoutSql(store);
      try (Connection connection = database.connect()) {
        for (String text :
            List.of(
                sql.untilDue,
                sql.untilDeadDue,
                sql.claimDead,
                sql.messages,
                sql.again,
                sql.giveBack,
                sql.dead,
                sql.remove,
                sql.settleMessages,
                sql.removeMessages,
                sql.existing,
                sql.countHere)) {
          assertThat(plan(connection, text))
              .as(text)
              .noneMatch(step -> step.matches("SCAN waymark_fanout_.*"))
              .noneMatch(step -> step.contains("TEMP B-TREE"));
        }
        List<String> claim = plan(connection, sql.claim(10));
        assertThat(claim)
            .noneMatch(step -> step.matches("SCAN waymark_fanout_.*"))
            .anyMatch(
                step ->
                    step.matches(
                        "SEARCH waymark_fanout_delivery USING COVERING INDEX waymark_fanout_due"
                            + " \\(target=\\? AND phase=\\? AND due_at<\\?\\)"));
        // Two queues of at most ten rows each are put in one order; nothing else is sorted.
        assertThat(claim.stream().filter(step -> step.contains("TEMP B-TREE FOR ORDER BY")))
            .hasSize(1);
      }
    }
  }

  private static List<String> plan(Connection connection, String text) throws SQLException {
    List<String> steps = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("EXPLAIN QUERY PLAN " + text)) {
      while (rows.next()) {
        steps.add(rows.getString("detail"));
      }
    }
    return steps;
  }
}
