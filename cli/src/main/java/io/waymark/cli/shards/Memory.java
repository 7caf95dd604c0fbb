package io.waymark.cli.shards;

import io.waymark.topology.JdbcStateReceiver;
import io.waymark.topology.Stamp;
import io.waymark.topology.StateUpdate;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What a member has, in a SQLite file of its own: the value, its stamp, and what happened to it,
 * together in one transaction. Not thread safe.
 */
final class Memory implements AutoCloseable {
  private static final String CREATE =
      "CREATE TABLE IF NOT EXISTS limits (one INTEGER PRIMARY KEY CHECK (one = 1), revision INTEGER"
          + " NOT NULL, rate INTEGER NOT NULL, deliveries INTEGER NOT NULL, applied INTEGER NOT"
          + " NULL, stale INTEGER NOT NULL)";
  private static final String BEGIN =
      "INSERT INTO limits VALUES (1, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING";
  private static final String READ =
      "SELECT revision, rate, deliveries, applied, stale FROM limits";
  private static final String COUNT = "UPDATE limits SET deliveries = deliveries + 1";
  private static final String APPLY =
      "UPDATE limits SET stale = stale + (revision > ?1), revision = ?1, rate = ?2,"
          + " applied = applied + 1";

  private static final String KEY = "limits";

  private final JdbcStateReceiver states = JdbcStateReceiver.of();
  private final Connection connection;

  private Memory(Connection connection) {
    this.connection = connection;
  }

  static Memory open(Path file) throws SQLException {
    Memory memory = new Memory(DriverManager.getConnection("jdbc:sqlite:" + file));
    try (Statement statement = memory.connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA synchronous = FULL");
      statement.execute(CREATE);
      statement.execute(BEGIN);
    }
    memory.states.create(memory.connection);
    memory.connection.setAutoCommit(false);
    return memory;
  }

  Said.Holds holds() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(READ)) {
      row.next();
      return new Said.Holds(
          states.applied(connection, KEY).map(Stamp::toString).orElse(""),
          row.getLong(1),
          row.getInt(2),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5));
    }
  }

  /**
   * Applies an update if it is newer. Whether it takes the value back is told by its revision,
   * which is not what decides.
   */
  Said.Holds receive(StateUpdate<Limits> update) throws SQLException {
    try (Statement count = connection.createStatement()) {
      count.executeUpdate(COUNT);
      states.apply(connection, KEY, update, Memory::store);
      connection.commit();
      return holds();
    } finally {
      connection.rollback();
    }
  }

  private static void store(Connection connection, Limits limits) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(APPLY)) {
      statement.setLong(1, limits.revision());
      statement.setInt(2, limits.rate());
      statement.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
