package io.waymark.durable;

import java.sql.SQLException;

/** What the failures of a database mean. */
final class Failures {
  private static final int LONGEST = 500;

  private Failures() {}

  /**
   * Whether the database itself answered and said no: then nothing took effect. An error of the
   * connection, a shutdown, or an error without a state says nothing about what became of a commit.
   */
  static boolean refused(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SQLException sql) {
        String state = sql.getSQLState();
        // 23: constraint, 25: wrong state, 40 without 40003 (completion unknown): rolled back.
        return state != null
            && (state.startsWith("23")
                || state.startsWith("25")
                || (state.startsWith("40") && !state.equals("40003")));
      }
    }
    return false;
  }

  /** What a failure said: its type and message, cut, in one line. */
  static String said(Throwable failure) {
    String message;
    try {
      message = failure.getMessage();
    } catch (RuntimeException e) { // a hostile exception must not hide that something failed
      message = null;
    }
    String name = failure.getClass().getSimpleName();
    return line(name + (message == null ? "" : ": " + message));
  }

  /** A text in one line, cut. */
  static String line(String text) {
    String line = text.replaceAll("[\\p{Cntrl}]+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1) + "…";
  }
}
