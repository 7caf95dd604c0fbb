package io.waymark.durable;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.ConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * The one connection to a SQLite file, lent to one caller at a time, first come first served. A
 * connection that failed in a way that leaves doubt is replaced.
 *
 * <p>Every transaction takes the right to write at its begin, and every commit waits until it is on
 * disk (<a href="https://www.sqlite.org/pragma.html#pragma_synchronous">synchronous=FULL</a> with
 * <a href="https://www.sqlite.org/wal.html">write-ahead log</a>).
 */
final class SqliteConnections implements ConnectionFactory, AutoCloseable {
  private static final String URL = "jdbc:sqlite:";
  private static final int PATIENCE_SECONDS = 30;

  private final Path database;
  private final UnaryOperator<Connection> watched;
  private final Semaphore turn = new Semaphore(1, true);
  private volatile @Nullable Thread holder;
  private volatile boolean closed;

  /** Touched only by who has the turn. */
  private @Nullable Connection connection;

  SqliteConnections(Path database, UnaryOperator<Connection> watched) {
    this.database = database;
    this.watched = watched;
  }

  @Override
  public Connection openConnection() throws SQLException {
    if (holder == Thread.currentThread()) {
      throw new IllegalStateException(
          "this thread is already in a transaction of the store; use that one: SQLite has one"
              + " writer, which would wait for itself");
    }
    takeTurn();
    boolean lent = false;
    try {
      if (closed) {
        throw new SQLException("the store is closed");
      }
      Connection open = connection;
      if (open == null || open.isClosed()) {
        open = watched.apply(connect());
        connection = open;
      }
      holder = Thread.currentThread();
      lent = true;
      return open;
    } finally {
      if (!lent) {
        turn.release();
      }
    }
  }

  private void takeTurn() throws SQLException {
    try {
      if (!turn.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new SQLException(
            "the connection to " + database + " was in use for " + PATIENCE_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while waiting for the connection to " + database, e);
    }
  }

  @Override
  public void closeConnection(Connection lent) {
    try {
      if (!lent.getAutoCommit()) { // a rollback failed on it
        discard(lent);
      }
    } catch (SQLException e) {
      discard(lent);
    } finally {
      holder = null;
      turn.release();
    }
  }

  private void discard(Connection broken) {
    connection = null;
    closeQuietly(broken);
  }

  /** Says what is missing rather than "no suitable driver". */
  static void requireDriver() {
    try {
      DriverManager.getDriver(URL);
    } catch (SQLException e) {
      throw new DurableStoreException(
          StoreError.FAILED,
          "there is no driver for SQLite on the class path; add org.xerial:sqlite-jdbc",
          e);
    }
  }

  private Connection connect() throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("journal_mode", "WAL");
    settings.setProperty("synchronous", "FULL");
    settings.setProperty("transaction_mode", "IMMEDIATE");
    settings.setProperty("busy_timeout", "5000");
    settings.setProperty("foreign_keys", "true");
    return DriverManager.getConnection(URL + database, settings);
  }

  private static void closeQuietly(@Nullable Connection connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        // SQLite rolls back what was open when the file is opened again.
      }
    }
  }

  /** Waits for who has the connection, and closes it. */
  @Override
  public void close() {
    closed = true;
    turn.acquireUninterruptibly();
    closeQuietly(connection);
    connection = null;
    turn.release();
  }
}
