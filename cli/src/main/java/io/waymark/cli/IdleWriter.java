package io.waymark.cli;

import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Somebody who begins a transaction, writes, and thinks: the transaction stays open as long as the
 * demo runs, and is rolled back. What it writes is log that nobody has committed, between the log
 * of the sessions.
 */
final class IdleWriter implements Runnable {
  static final String CREATE_TABLE = "CREATE TABLE waymark_demo_idle (written timestamptz)";

  private static final String WRITE = "INSERT INTO waymark_demo_idle VALUES (clock_timestamp())";
  private static final long THINK_MILLIS = 100;

  private final PostgresNode primary;
  private final Tally tally;
  private final CountDownLatch stop;

  IdleWriter(PostgresNode primary, Tally tally, CountDownLatch stop) {
    this.primary = primary;
    this.tally = tally;
    this.stop = stop;
  }

  @Override
  public void run() {
    try (Connection connection = primary.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      do {
        statement.executeUpdate(WRITE);
      } while (!stop.await(THINK_MILLIS, TimeUnit.MILLISECONDS));
      connection.rollback();
    } catch (SQLException e) {
      if (stop.getCount() > 0) {
        tally.writeFailed("the idle writer: " + e.getMessage());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
