package io.waymark.topology;

import io.waymark.core.OptionText;
import java.util.regex.Pattern;

/**
 * The table of {@link JdbcStateReceiver}, and all SQL about it: only what every database with a
 * primary key understands.
 */
record AppliedTable(String name) {
  static final String DEFAULT_NAME = "waymark_applied";

  /** What stands in the row of a key of which nothing was applied; some databases lose "". */
  static final String NOTHING = "none";

  private static final Pattern NAME =
      Pattern.compile("[a-z_][a-z0-9_]{0,62}(\\.[a-z_][a-z0-9_]{0,62})?");

  /**
   * @throws IllegalArgumentException if it is no such name
   */
  AppliedTable {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "table "
              + OptionText.quote(name)
              + " cannot be used. Accepted: a name in lower case, with or without a schema, such as"
              + " app.waymark_applied");
    }
  }

  /** Four stamps with the longest names, and what separates them, fit. */
  String ddl() {
    return """
        CREATE TABLE %s (
          state_key varchar(255) PRIMARY KEY,
          stamps varchar(1000) NOT NULL,
          deliveries bigint NOT NULL
        )"""
        .formatted(name);
  }

  String validate() {
    return "SELECT state_key, stamps, deliveries FROM " + name + " WHERE 1 = 0";
  }

  /**
   * Locks the row. It counts, since a change is what every database takes a lock for, and shows the
   * row's newest state to this transaction for, at every isolation.
   */
  String lock() {
    return "UPDATE " + name + " SET deliveries = deliveries + 1 WHERE state_key = ?";
  }

  String insert() {
    return "INSERT INTO " + name + " (state_key, stamps, deliveries) VALUES (?, ?, 1)";
  }

  String read() {
    return "SELECT stamps FROM " + name + " WHERE state_key = ?";
  }

  String write() {
    return "UPDATE " + name + " SET stamps = ? WHERE state_key = ?";
  }
}
