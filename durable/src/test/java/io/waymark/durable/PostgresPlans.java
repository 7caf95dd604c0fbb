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

/** What statements touch, as PostgreSQL tells. */
final class PostgresPlans {
  static final Pattern RECORDS = Pattern.compile("WAL: records=(\\d+)");
  static final Pattern BUFFERS = Pattern.compile("Buffers: shared hit=(\\d+)");

  private final PostgresDatabase database;

  PostgresPlans(PostgresDatabase database) {
    this.database = database;
  }

  /** Runs a statement in a transaction that is rolled back; what it did, as the server says. */
  String explained(String text) throws SQLException {
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
  static String with(String text, Map<String, String> values) {
    String filled = text;
    for (Map.Entry<String, String> each : values.entrySet()) {
      filled = filled.replaceAll("(?<!:):" + each.getKey() + "\\b", each.getValue());
    }
    return filled;
  }

  /** The first number that the pattern finds. */
  static int first(Pattern pattern, String plan) {
    Matcher found = pattern.matcher(plan);
    assertThat(found.find()).as("%s in%n%s", pattern, plan).isTrue();
    return Integer.parseInt(found.group(1));
  }
}
