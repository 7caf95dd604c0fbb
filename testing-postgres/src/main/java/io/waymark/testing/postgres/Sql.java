package io.waymark.testing.postgres;

import java.util.Objects;
import java.util.regex.Pattern;

/** Names and values inside SQL texts and configuration files. */
final class Sql {

  private static final Pattern SETTING = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");
  private static final int MAX_NAME = 63;

  private Sql() {}

  /** A value as it stands in {@code postgresql.conf}, where a backslash escapes. */
  static String configured(String value) {
    return literal(value.replace("\\", "\\\\"));
  }

  /** A value in single quotes. */
  static String literal(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  /** A name in double quotes. */
  static String name(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  /** The functions that tell positions in the log; any role may call them unless it is revoked. */
  static final String POSITION_FUNCTIONS =
      "pg_current_wal_lsn(), pg_current_wal_flush_lsn(), pg_current_wal_insert_lsn(),"
          + " pg_last_wal_replay_lsn(), pg_last_wal_receive_lsn()";

  static String requireName(String what, String name) {
    Objects.requireNonNull(name, what);
    if (name.isBlank() || name.length() > MAX_NAME || name.chars().anyMatch(c -> c < ' ')) {
      throw new IllegalArgumentException(
          what + " must be 1 to " + MAX_NAME + " printable characters, was '" + name + "'");
    }
    return name;
  }

  static String requireSetting(String name) {
    if (!SETTING.matcher(name).matches()) {
      throw new IllegalArgumentException("'" + name + "' is no name of a setting");
    }
    return name;
  }

  /**
   * A whole number in a setting's value, or the largest one if it is none: the server will tell.
   */
  static int number(String value) {
    try {
      return Integer.parseInt(value.strip());
    } catch (NumberFormatException e) {
      return Integer.MAX_VALUE;
    }
  }
}
