package io.waymark.testing.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** SQL in one line, for tests. */
final class Rows {

  private Rows() {}

  static void run(PostgresNode node, String... statements) throws SQLException {
    try (Connection connection = node.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  static String ask(PostgresNode node, String sql) throws SQLException {
    try (Connection connection = node.connect()) {
      return PostgresNode.string(connection, sql);
    }
  }

  /** The number of rows of the table t. */
  static int count(PostgresNode node) throws SQLException {
    return Integer.parseInt(ask(node, "SELECT count(*) FROM t"));
  }

  static Connection through(PostgresNode node) throws SQLException {
    return DriverManager.getConnection(node.proxyUrl(), PostgresCluster.SUPERUSER, "");
  }
}
