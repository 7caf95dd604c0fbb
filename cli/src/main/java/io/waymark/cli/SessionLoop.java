package io.waymark.cli;

import io.waymark.postgres.CausalSession;
import io.waymark.postgres.RouteEvent;
import io.waymark.postgres.WaymarkDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One user of a demo: writes its own row, reads it back nine times, and again. It knows what it has
 * committed, and so whether a read missed it.
 */
final class SessionLoop implements Runnable {
  static final String CREATE_TABLE =
      "CREATE TABLE waymark_demo (session int PRIMARY KEY, version bigint NOT NULL)"
          + " WITH (fillfactor = 20)";

  private static final int READS_PER_WRITE = 9;
  private static final String WRITE =
      "INSERT INTO waymark_demo (session, version) VALUES (?, ?)"
          + " ON CONFLICT (session) DO UPDATE SET version = EXCLUDED.version";
  private static final String READ = "SELECT version FROM waymark_demo WHERE session = ?";

  /** The route of this thread's call that is under way. */
  private static final ThreadLocal<@Nullable RouteEvent> ROUTE = new ThreadLocal<>();

  private final WaymarkDataSource db;
  private final int session;
  private final long thinkNanos;
  private final SplittableRandom random;
  private final Tally tally;
  private final CountDownLatch stop;
  private long sent;
  private long committed;

  SessionLoop(
      WaymarkDataSource db,
      int session,
      long thinkNanos,
      SplittableRandom random,
      Tally tally,
      CountDownLatch stop) {
    this.db = db;
    this.session = session;
    this.thinkNanos = thinkNanos;
    this.random = random;
    this.tally = tally;
    this.stop = stop;
  }

  /** The listener of the data source: it is called on the thread that reads. */
  static void routed(RouteEvent event) {
    ROUTE.set(event);
  }

  @Override
  @SuppressWarnings("try") // the session is in force by being open
  public void run() {
    try (CausalSession own = db.session()) {
      boolean stopped = think(thinkNanos == 0 ? 0 : random.nextLong(thinkNanos));
      while (!stopped) {
        write();
        stopped = think(thinkNanos);
        for (int i = 0; i < READS_PER_WRITE && !stopped; i++) {
          read(random.nextInt(3) == 0);
          stopped = think(thinkNanos);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits, and says whether it is time to stop. */
  private boolean think(long nanos) throws InterruptedException {
    return stop.await(nanos, TimeUnit.NANOSECONDS);
  }

  private void write() {
    long started = System.nanoTime();
    long version = ++sent;
    try {
      try (Connection connection = db.getConnection()) {
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
          statement.setInt(1, session);
          statement.setLong(2, version);
          statement.executeUpdate();
        }
        connection.commit();
        committed = version;
      }
      tally.wrote(System.nanoTime() - started);
    } catch (SQLException e) {
      tally.writeFailed(String.valueOf(e.getMessage()));
    }
  }

  private void read(boolean inTransaction) {
    long started = System.nanoTime();
    RouteEvent served = null;
    boolean stale = false;
    try (Connection connection = db.getConnection()) {
      connection.setReadOnly(true);
      if (inTransaction) {
        connection.setAutoCommit(false);
      }
      ROUTE.remove();
      stale = version(connection) < committed;
      served = ROUTE.get();
      if (inTransaction) {
        connection.commit();
      }
    } catch (SQLException e) {
      // Once the answer is there a broken connection takes nothing away from it.
      if (served == null) {
        tally.readFailed(String.valueOf(e.getMessage()));
      } else {
        tally.endLost();
      }
    }
    if (served != null) {
      tally.read(served, stale, System.nanoTime() - started);
    }
  }

  /** What the row says; 0 where it is not there. */
  private long version(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setInt(1, session);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }
}
