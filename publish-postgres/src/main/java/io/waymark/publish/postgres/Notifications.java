package io.waymark.publish.postgres;

import io.waymark.topology.SnapshotListener;
import io.waymark.topology.Stamp;
import io.waymark.topology.internal.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread with a connection that listens, for ever: when the connection is lost it makes another,
 * and tells that changes may have been missed once that one listens.
 */
final class Notifications {
  private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);

  private static final int ALIVE_SECONDS = 5;

  private final SnapshotTable table;
  private final String url;
  private final Properties properties;
  private final int idleMillis;
  private final Thread thread;
  private volatile @Nullable SnapshotListener listener;
  private volatile @Nullable Connection current;
  private volatile boolean closed;

  /**
   * @param idleMillis after how long without a word the server is asked whether it is still there
   */
  Notifications(SnapshotTable table, String url, Properties properties, int idleMillis) {
    this.table = table;
    this.url = url;
    this.properties = properties;
    this.idleMillis = idleMillis;
    properties.putIfAbsent("connectTimeout", "5");
    properties.putIfAbsent("loginTimeout", "5");
    properties.putIfAbsent("tcpKeepAlive", "true");
    properties.putIfAbsent("ApplicationName", "waymark-topology");
    this.thread = new Thread(this::run, "waymark-topology-listen");
    thread.setDaemon(true);
  }

  void start(SnapshotListener listener) {
    this.listener = listener;
    thread.start();
  }

  private void run() {
    SnapshotListener told = listener;
    Backoff backoff = new Backoff();
    while (!closed && told != null) {
      try (Connection connection = connect()) {
        listen(connection, told, backoff);
      } catch (SQLException | RuntimeException e) {
        if (!closed) {
          lost(told, e);
          pause(backoff);
        }
      } finally {
        current = null;
      }
    }
  }

  private Connection connect() throws SQLException {
    Connection connection = new Driver().connect(url, properties);
    if (connection == null) {
      throw new SQLException("the URL to listen at is none of PostgreSQL's", "08001");
    }
    current = connection;
    if (closed) { // close did not see it
      connection.close();
    }
    return connection;
  }

  private void listen(Connection connection, SnapshotListener told, Backoff backoff)
      throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("LISTEN " + table.channel());
    }
    LOG.debug("listening for changes of {}", table.name());
    told.listening();
    backoff.reset();
    PGConnection notified = connection.unwrap(PGConnection.class);
    while (!closed) {
      PGNotification[] notifications = notified.getNotifications(idleMillis);
      if (notifications != null && notifications.length > 0) {
        for (PGNotification notification : notifications) {
          tell(notification.getParameter(), told);
        }
      } else if (!connection.isValid(ALIVE_SECONDS)) {
        throw new SQLException("the server does not answer", "08006");
      }
    }
  }

  private static void tell(String notification, SnapshotListener told) {
    String[] parts = SnapshotTable.parts(notification);
    Stamp stamp;
    try {
      stamp = Stamp.parse(parts[1]);
    } catch (IllegalArgumentException e) {
      stamp = null; // by somebody else's hand; the group is what counts
    }
    told.changed(parts[0], stamp);
  }

  private void lost(SnapshotListener told, Exception e) {
    String state = e instanceof SQLException sql ? " " + sql.getSQLState() : "";
    told.interrupted(e.getClass().getSimpleName() + state);
    LOG.info("changes of {} are not told for now ({}{})", table.name(), e.getClass(), state);
    LOG.debug("the connection to listen on", e);
  }

  private void pause(Backoff backoff) {
    try {
      Thread.sleep(backoff.next().toMillis());
    } catch (InterruptedException e) {
      LOG.debug("woken to close"); // the only one to interrupt this thread
    }
  }

  void close() {
    closed = true;
    Connection connection = current;
    if (connection != null) {
      try {
        connection.abort(Runnable::run); // does not wait for a server that may be silent
      } catch (SQLException e) {
        LOG.debug("the connection to listen on did not close", e);
      }
    }
    thread.interrupt();
  }
}
