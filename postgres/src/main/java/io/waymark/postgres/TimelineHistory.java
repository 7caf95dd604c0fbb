package io.waymark.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's own record of where its timeline left the one before.
 *
 * <p>The file has a line for each ancestor, the parent last: its timeline, where it was left, and
 * why. Its form is that of PostgreSQL's {@code timeline.c}; the replication command that sends it
 * is in the chapter on the streaming replication protocol.
 */
final class TimelineHistory {
  private static final Pattern ANCESTOR =
      Pattern.compile("\\s*([0-9]{1,9})\\s+([0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8})(\\s.*)?");

  private TimelineHistory() {}

  /**
   * Asks for it.
   *
   * @param replication a connection in replication mode
   * @param timeline the one that the server writes, at least 2
   * @return where it left the timeline whose number is one less; {@link Lsn#NONE} where it came
   *     from another one
   * @throws SQLException if the server does not have the file, or does not answer
   */
  static long fork(Connection replication, int timeline) throws SQLException {
    try (Statement statement = replication.createStatement();
        ResultSet row = statement.executeQuery(ServerQueries.timelineHistory(timeline))) {
      return row.next() ? fork(String.valueOf(row.getString(2)), timeline) : Lsn.NONE;
    }
  }

  /** The same, from the file's text. */
  static long fork(String text, int timeline) {
    List<String> lines =
        text.lines()
            .filter(line -> !line.isBlank() && !line.stripLeading().startsWith("#"))
            .toList();
    if (lines.isEmpty()) {
      return Lsn.NONE;
    }
    Matcher parent = ANCESTOR.matcher(lines.get(lines.size() - 1));
    return parent.matches() && Integer.parseInt(parent.group(1)) == timeline - 1
        ? Lsn.parse(parent.group(2))
        : Lsn.NONE;
  }
}
