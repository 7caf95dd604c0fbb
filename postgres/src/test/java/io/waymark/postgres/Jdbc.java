package io.waymark.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Short forms of JDBC for tests. */
final class Jdbc {
  /** Which backend of which server answers. */
  static final String BACKEND = "SELECT inet_server_port() || '/' || pg_backend_pid()";

  private Jdbc() {}

  /** The first column of the first row as text; {@code "nothing"} where there is no row. */
  static String one(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "nothing";
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static String backend(Connection connection) throws SQLException {
    return one(connection, BACKEND);
  }

  static int port(Connection connection) throws SQLException {
    return Integer.parseInt(one(connection, "SELECT inet_server_port()"));
  }
}
