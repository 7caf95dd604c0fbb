package io.waymark.durable;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;

/** Connections of the caller's data source; single statements on them commit themselves. */
final class PostgresConnections implements ConnectionFactory {
  private final DataSource source;

  PostgresConnections(DataSource source) {
    this.source = source;
  }

  @Override
  public Connection openConnection() throws SQLException {
    Connection connection = source.getConnection();
    try {
      if (!connection.getAutoCommit()) { // a pool may be set up like that
        connection.setAutoCommit(true);
      }
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }
}
