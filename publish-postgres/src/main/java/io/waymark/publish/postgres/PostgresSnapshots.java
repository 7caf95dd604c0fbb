package io.waymark.publish.postgres;

import static java.util.Objects.requireNonNull;

import io.waymark.topology.SnapshotListener;
import io.waymark.topology.SnapshotReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads published groups from the table that a {@link PostgresPublisher} writes.
 *
 * <p>With {@link Builder#listen} it has a connection of its own on which the primary tells of
 * changes, within milliseconds; without, what a client knows is as old as its time to live.
 *
 * <p>Reads may go to a standby. Where that is behind, a client goes on serving what it has and asks
 * again after its negative time to live.
 *
 * <p>Thread safe.
 */
public final class PostgresSnapshots implements SnapshotReader {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final SnapshotReader reads;
  private final @Nullable Notifications notifications;

  private PostgresSnapshots(Builder builder) {
    DataSource source = builder.source;
    SnapshotTable table = builder.table;
    this.reads = SnapshotReader.blocking(group -> read(source, table, group));
    this.notifications =
        builder.url == null
            ? null
            : new Notifications(table, builder.url, builder.properties, builder.heartbeatMillis);
  }

  /** Reads the table {@code waymark_snapshot}, without a push. */
  public static PostgresSnapshots of(DataSource source) {
    return builder(source).build();
  }

  /**
   * Configures a reader.
   *
   * @param source gives connections whose role may select from the table, at most eight at once; it
   *     stays the caller's
   */
  public static Builder builder(DataSource source) {
    return new Builder(source);
  }

  /** Configures a {@link PostgresSnapshots}. Not thread safe. */
  public static final class Builder {
    private final DataSource source;
    private SnapshotTable table = new SnapshotTable(SnapshotTable.DEFAULT_NAME);
    private @Nullable String url;
    private Properties properties = new Properties();
    private int heartbeatMillis = 10_000;

    private Builder(DataSource source) {
      this.source = requireNonNull(source, "source");
    }

    /**
     * The table; by default {@code waymark_snapshot}, found by the role's search path. It must be
     * written here as it is at the publisher.
     *
     * @param name lower case, with a schema or without
     * @throws IllegalArgumentException if it is no such name
     */
    public Builder table(String name) {
      this.table = new SnapshotTable(name);
      return this;
    }

    /**
     * Where changes are told: a connection of its own, kept open to the primary. A pooler that
     * shares server sessions between transactions cannot be between, and a standby does not tell.
     *
     * @param url a {@code jdbc:postgresql:} URL; never shown
     * @param properties the driver's properties, such as user and password
     */
    public Builder listen(String url, Properties properties) {
      if (!url.startsWith("jdbc:postgresql:")) {
        throw new IllegalArgumentException(
            "the URL to listen at cannot be used. Accepted: a URL that starts with"
                + " jdbc:postgresql:");
      }
      this.url = url;
      this.properties = new Properties();
      properties
          .stringPropertyNames()
          .forEach(key -> this.properties.setProperty(key, properties.getProperty(key, "")));
      return this;
    }

    /**
     * After how long without a word the server is asked whether it is still there, so that a silent
     * loss of the connection is noticed within that and five seconds; by default 10 seconds.
     *
     * @throws IllegalArgumentException if it is shorter than a millisecond or longer than a day
     */
    public Builder heartbeat(Duration heartbeat) {
      long millis = heartbeat.toMillis();
      if (millis < 1 || millis > Duration.ofDays(1).toMillis()) {
        throw new IllegalArgumentException(
            "heartbeat cannot be " + heartbeat + ". Accepted: from a millisecond to a day");
      }
      this.heartbeatMillis = (int) millis;
      return this;
    }

    /** Builds the reader; it connects when it is first used. */
    public PostgresSnapshots build() {
      return new PostgresSnapshots(this);
    }
  }

  private static Optional<String> read(DataSource source, SnapshotTable table, String group)
      throws SQLException {
    try (Connection connection = source.getConnection()) {
      int timeout = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, (int) TIMEOUT.toMillis());
      try (PreparedStatement query = connection.prepareStatement(table.read())) {
        query.setString(1, group);
        try (ResultSet row = query.executeQuery()) {
          return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
        }
      } finally {
        if (!connection.isClosed()) {
          if (!connection.getAutoCommit()) {
            connection.rollback();
          }
          connection.setNetworkTimeout(Runnable::run, timeout);
        }
      }
    }
  }

  @Override
  public CompletionStage<Optional<String>> read(String group) {
    return reads.read(group);
  }

  @Override
  public void watch(SnapshotListener listener) {
    if (notifications == null) {
      listener.interrupted("not asked for");
    } else {
      notifications.start(listener);
    }
  }

  @Override
  public void close() {
    reads.close();
    if (notifications != null) {
      notifications.close();
    }
  }
}
