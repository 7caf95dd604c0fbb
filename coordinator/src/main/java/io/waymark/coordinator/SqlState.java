package io.waymark.coordinator;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What the database said, by the five characters of the SQL standard. */
final class SqlState {
  private SqlState() {}

  /** The state of a failure; the empty text if it has none. */
  static String of(Throwable failure) {
    for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
    }
    return "";
  }
}
