package io.waymark.durable;

import io.waymark.core.Backoff;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for the hints of other processes on a connection of its own, for ever: when that breaks,
 * it connects again after growing waits. After every connect all channels are looked at, for what
 * was missed. The only class that needs PostgreSQL's driver.
 */
final class PostgresListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresListener.class);
  private static final Backoff RECONNECT =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10));
  private static final int QUIET_MILLIS = 10_000;
  private static final int ANSWER_SECONDS = 5;

  private final DurableStore store;
  private final DurableStoreConfig.Listen where;
  private final Thread thread = new Thread(this::loop, "waymark-store-listen");
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Connection connection;

  PostgresListener(DurableStore store, DurableStoreConfig.Listen where) {
    this.store = store;
    this.where = where;
    thread.setDaemon(true);
    thread.start();
  }

  private void loop() {
    int failures = 0;
    while (closed.getCount() > 0) {
      try (Connection open = DriverManager.getConnection(where.url(), where.properties())) {
        connection = open;
        try (Statement statement = open.createStatement()) {
          statement.execute("LISTEN " + Signals.NOTIFICATIONS);
        }
        failures = 0;
        store.scheduler().within(0);
        hear(open);
      } catch (SQLException | RuntimeException e) {
        failures++;
        if (failures == 1 && closed.getCount() > 0) {
          LOG.warn("listening for other processes was interrupted: {}", Failures.said(e));
        }
      } finally {
        connection = null;
      }
      pause(failures);
    }
  }

  private void hear(Connection open) throws SQLException {
    PGConnection postgres = open.unwrap(PGConnection.class);
    while (closed.getCount() > 0) {
      PGNotification[] heard = postgres.getNotifications(QUIET_MILLIS);
      if (heard != null && heard.length > 0) {
        for (PGNotification each : heard) {
          store.signals().heard(each.getParameter());
        }
      } else if (!open.isValid(ANSWER_SECONDS)) { // silence may be a dead line
        throw new SQLException("the connection does not answer any more");
      }
    }
  }

  private void pause(int failures) {
    if (failures > 0) {
      try {
        closed.await(store.delay(RECONNECT, failures).toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        closed.countDown(); // nobody else interrupts it
      }
    }
  }

  @Override
  public void close() {
    closed.countDown();
    Connection open = connection;
    if (open != null) {
      try {
        open.abort(Runnable::run); // ends a wait for notifications at once
      } catch (SQLException e) {
        LOG.debug("the listening connection failed to close", e);
      }
    }
  }
}
