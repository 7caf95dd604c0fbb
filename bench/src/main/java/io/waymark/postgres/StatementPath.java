package io.waymark.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * What a program does with a data source. Over {@link FakeDriver}: once with a {@link
 * WaymarkDataSource} over a primary and three replicas, once with HikariCP alone. Over real
 * servers: with whatever is given.
 */
public final class StatementPath implements AutoCloseable {
  private final DataSource reads;
  private final DataSource writes;
  private final Runnable closing;

  private StatementPath(DataSource reads, DataSource writes, Runnable closing) {
    this.reads = reads;
    this.writes = writes;
    this.closing = closing;
  }

  /**
   * Over real servers that have the table {@code account}.
   *
   * @param reads what reads are sent to
   * @param writes what writes are sent to; the same, where something routes
   * @param closing closes both
   */
  public static StatementPath over(DataSource reads, DataSource writes, Runnable closing) {
    return new StatementPath(reads, writes, closing);
  }

  /** HikariCP over the fake, with one connection as the other path has per endpoint. */
  public static StatementPath plain() {
    HikariConfig config = new HikariConfig();
    config.setPoolName("plain");
    config.setDataSource(FakeDriver.dataSource());
    config.setMinimumIdle(0);
    HikariDataSource source = new HikariDataSource(config);
    return over(source, source, source::close);
  }

  /** Waymark over the fake, in its default configuration. */
  public static StatementPath routed() throws SQLException {
    WaymarkDataSourceBuilder builder = WaymarkDataSource.builder().primary(FakeDriver.PRIMARY);
    for (int i = 1; i <= 3; i++) {
      builder.replica("jdbc:postgresql://replica-" + i + "/app");
    }
    WaymarkDataSource source = WaymarkDataSource.connect(builder.config(), new FakeDriver());
    return over(source, source, source::close);
  }

  /** One read in autocommit. */
  public int read() throws SQLException {
    try (Connection connection = reads.getConnection()) {
      connection.setReadOnly(true);
      return balance(connection);
    }
  }

  /** One read in a transaction of its own, as frameworks do it. */
  public int readTransaction() throws SQLException {
    try (Connection connection = reads.getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      int balance = balance(connection);
      connection.commit();
      return balance;
    }
  }

  private static int balance(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT balance FROM account WHERE id = ?")) {
      statement.setInt(1, 7);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getInt(1) : 0;
      }
    }
  }

  /** One write in a transaction of its own. */
  public int write() throws SQLException {
    try (Connection connection = writes.getConnection()) {
      connection.setAutoCommit(false);
      int changed;
      try (PreparedStatement statement =
          connection.prepareStatement("UPDATE account SET balance = balance + 1 WHERE id = ?")) {
        statement.setInt(1, 7);
        changed = statement.executeUpdate();
      }
      connection.commit();
      return changed;
    }
  }

  @Override
  public void close() {
    closing.run();
  }
}
