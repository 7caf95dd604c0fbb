package io.waymark.publish.postgres;

import static java.util.Objects.requireNonNull;

import io.waymark.core.SchemaMode;
import io.waymark.topology.Published;
import io.waymark.topology.SnapshotCodec;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.SnapshotStoreException;
import io.waymark.topology.Stamp;
import io.waymark.topology.WriteOutcome;
import io.waymark.topology.WriteRule;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes published groups into a table. One statement per write compares the stamp, writes, and
 * notifies the readers; PostgreSQL delivers the notification when, and only when, the write is
 * committed.
 *
 * <p>It compares stamps, keeps what it holds across restarts, and can sweep. A failover to a
 * standby that had not received the last writes forgets them; a sweep finds that.
 *
 * <p>The data source must lead to the primary. Thread safe.
 */
public final class PostgresPublisher implements SnapshotPublisher {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /**
   * Classes of SQLSTATE with which a server refuses a statement that it has not committed: data,
   * constraints, transaction state, authorisation, unknown names, syntax and rights, resources,
   * limits, object state.
   */
  private static final Set<String> REFUSALS =
      Set.of("22", "23", "25", "28", "3D", "3F", "42", "53", "54", "55");

  private final DataSource primary;
  private final SnapshotTable table;
  private final SchemaMode schema;
  private final ReentrantLock preparing = new ReentrantLock();
  private volatile boolean prepared;
  private volatile boolean closed;

  private PostgresPublisher(DataSource primary, SnapshotTable table, SchemaMode schema) {
    this.primary = primary;
    this.table = table;
    this.schema = schema;
    this.prepared = schema == SchemaMode.NONE;
  }

  /** Publishes into the table {@code waymark_snapshot}, which is created where it is not there. */
  public static PostgresPublisher of(DataSource primary) {
    return builder(primary).build();
  }

  /**
   * Configures a publisher.
   *
   * @param primary gives connections to the primary, whose role may insert into the table and
   *     update it; it stays the caller's
   */
  public static Builder builder(DataSource primary) {
    return new Builder(primary);
  }

  /** Configures a {@link PostgresPublisher}. Not thread safe. */
  public static final class Builder {
    private final DataSource primary;
    private SnapshotTable table = new SnapshotTable(SnapshotTable.DEFAULT_NAME);
    private SchemaMode schema = SchemaMode.CREATE;

    private Builder(DataSource primary) {
      this.primary = requireNonNull(primary, "primary");
    }

    /**
     * The table; by default {@code waymark_snapshot}, found by the role's search path.
     *
     * @param name lower case, with a schema or without
     * @throws IllegalArgumentException if it is no such name
     */
    public Builder table(String name) {
      this.table = new SnapshotTable(name);
      return this;
    }

    /** What is done about the table before the first write; by default it is created. */
    public Builder schema(SchemaMode schema) {
      this.schema = requireNonNull(schema, "schema");
      return this;
    }

    /** Builds the publisher; it connects when it first writes. */
    public PostgresPublisher build() {
      return new PostgresPublisher(primary, table, schema);
    }
  }

  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  @Override
  public WriteOutcome write(Published published) {
    return put(published, null);
  }

  @Override
  public WriteOutcome replace(Stamp found, Published published) {
    return put(published, WriteRule.replacing(found, published));
  }

  private WriteOutcome put(Published published, @Nullable Stamp replacing) {
    String encoded = SnapshotCodec.encode(published);
    Connection connection;
    try {
      connection = open();
    } catch (SQLException e) {
      return new WriteOutcome.NotWritten(e);
    }
    try (connection) {
      return bounded(connection, c -> put(c, published, encoded, replacing));
    } catch (SQLException e) {
      return wasRefused(e) ? new WriteOutcome.NotWritten(e) : new WriteOutcome.Uncertain(e);
    }
  }

  private WriteOutcome put(
      Connection connection, Published published, String encoded, @Nullable Stamp replacing)
      throws SQLException {
    prepare(connection);
    if (upsert(connection, published, encoded, replacing)) {
      return WriteOutcome.applied();
    }
    try (PreparedStatement find = connection.prepareStatement(table.find())) {
      find.setString(1, published.group());
      try (ResultSet row = find.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("the row of a group was deleted by somebody else", "55000");
        }
        Stamp found = new Stamp(row.getString(1), row.getLong(2), row.getLong(3));
        boolean there = found.equals(published.stamp()) && encoded.equals(row.getString(4));
        return there ? WriteOutcome.applied() : new WriteOutcome.Superseded(found);
      }
    }
  }

  private boolean upsert(
      Connection connection, Published published, String encoded, @Nullable Stamp replacing)
      throws SQLException {
    Stamp stamp = published.stamp();
    Stamp replaced = replacing == null ? Stamp.LOCAL : replacing; // nobody's: it matches no row
    try (PreparedStatement write = connection.prepareStatement(table.write())) {
      write.setString(1, published.group());
      write.setString(2, stamp.authority());
      write.setLong(3, stamp.epoch());
      write.setLong(4, stamp.version());
      write.setString(5, encoded);
      write.setString(6, replaced.authority());
      write.setLong(7, replaced.epoch());
      write.setLong(8, replaced.version());
      write.setString(9, table.name());
      write.setString(10, SnapshotTable.notification(published.group(), stamp.toString()));
      try (ResultSet written = write.executeQuery()) {
        return written.next();
      }
    }
  }

  private static boolean wasRefused(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.length() == 5 && REFUSALS.contains(state.substring(0, 2));
  }

  private Connection open() throws SQLException {
    if (closed) {
      throw new SQLException("the publisher is closed", "08003");
    }
    return primary.getConnection();
  }

  /** Runs work in autocommit and within bounded time, and leaves the connection as it was. */
  private static <T> T bounded(Connection connection, Work<T> work) throws SQLException {
    int timeout = connection.getNetworkTimeout();
    boolean autoCommit = connection.getAutoCommit();
    connection.setNetworkTimeout(Runnable::run, (int) TIMEOUT.toMillis());
    if (!autoCommit) {
      connection.setAutoCommit(true);
    }
    try {
      return work.on(connection);
    } finally {
      if (!connection.isClosed()) {
        if (!autoCommit) {
          connection.setAutoCommit(false);
        }
        connection.setNetworkTimeout(Runnable::run, timeout);
      }
    }
  }

  private void prepare(Connection connection) throws SQLException {
    if (prepared) {
      return;
    }
    preparing.lock(); // who comes meanwhile needs the table too
    try {
      if (!prepared) {
        if (schema == SchemaMode.CREATE && !isThere(connection)) {
          create(connection);
        } else {
          validate(connection);
        }
        prepared = true;
      }
    } finally {
      preparing.unlock();
    }
  }

  private void validate(Connection connection) throws SQLException {
    try (PreparedStatement columns = connection.prepareStatement(table.validate())) {
      columns.execute();
    }
  }

  private boolean isThere(Connection connection) throws SQLException {
    try (PreparedStatement exists = connection.prepareStatement(table.exists());
        ResultSet answer = exists.executeQuery()) {
      return answer.next() && answer.getBoolean(1);
    }
  }

  private void create(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement lock = connection.prepareStatement(SnapshotTable.lock());
        PreparedStatement create = connection.prepareStatement(table.create())) {
      lock.execute();
      create.execute();
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  @Override
  public boolean comparesStamps() {
    return true;
  }

  @Override
  public boolean canSweep() {
    return true;
  }

  @Override
  public void sweep(BiConsumer<String, Stamp> each) {
    Optional<String> from = Optional.of("");
    while (from.isPresent()) {
      from = sweep(from.get(), each);
    }
  }

  private record Found(String group, Stamp stamp) {}

  /** Tells one page, on no connection; what comes after it begins behind the result. */
  private Optional<String> sweep(String after, BiConsumer<String, Stamp> each) {
    List<Found> page;
    try (Connection connection = open()) {
      page =
          bounded(
              connection,
              c -> {
                prepare(c);
                return page(c, after);
              });
    } catch (SQLException e) {
      throw new SnapshotStoreException("the table " + table.name() + " cannot be read", e);
    }
    page.forEach(found -> each.accept(found.group(), found.stamp()));
    return page.isEmpty() ? Optional.empty() : Optional.of(page.get(page.size() - 1).group());
  }

  private List<Found> page(Connection connection, String after) throws SQLException {
    List<Found> page = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(table.page())) {
      query.setString(1, after);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          Stamp stamp = new Stamp(rows.getString(2), rows.getLong(3), rows.getLong(4));
          page.add(new Found(rows.getString(1), stamp));
        }
      }
    }
    return page;
  }

  @Override
  public void close() {
    closed = true;
  }
}
