package io.waymark.topology;

import io.waymark.topology.HighWater.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies states that a coordinator delivers to a member, only when they are newer, in the
 * transaction in which the member stores them.
 *
 * <pre>{@code
 * JdbcStateReceiver states = JdbcStateReceiver.of();
 *
 * connection.setAutoCommit(false);
 * Reception reception = states.apply(connection, "acme/acme-3/limits", update, (c, limits) -> {
 *   try (PreparedStatement set = c.prepareStatement("UPDATE limits SET most = ?")) {
 *     set.setInt(1, limits.most());
 *     set.executeUpdate();
 *   }
 * });
 * connection.commit();
 * }</pre>
 *
 * <p>What was applied last is kept in a small table of ours in the member's own database, so that
 * value and stamp are committed together or not at all. An update is newer if it was issued later
 * by the same authority, if its authority was not seen before, or if its authority comes back with
 * a higher epoch than it had. Two deliveries of one key at once run one after the other, on
 * different keys they do not wait for each other where the database locks rows.
 *
 * <p>Any database with a JDBC driver will do; it is tested on PostgreSQL and SQLite. The table is
 * this, to be created by the application's own migrations ({@link #ddl}), or by {@link #create}:
 *
 * <pre>{@code
 * CREATE TABLE waymark_applied (
 *   state_key varchar(255) PRIMARY KEY,
 *   stamps varchar(1000) NOT NULL,   -- the newest of each of the last authorities
 *   deliveries bigint NOT NULL       -- how often one arrived, whatever came of it
 * )
 * }</pre>
 *
 * <p>Immutable and thread safe; connections are the caller's.
 */
public final class JdbcStateReceiver {
  private static final int LONGEST_KEY = 255;

  /** One is enough where the row is there or nobody else makes it; the rest is for a race. */
  private static final int ATTEMPTS = 3;

  private final AppliedTable table;

  private JdbcStateReceiver(AppliedTable table) {
    this.table = table;
  }

  /** With the table {@code waymark_applied}, where the connection finds it. */
  public static JdbcStateReceiver of() {
    return new JdbcStateReceiver(new AppliedTable(AppliedTable.DEFAULT_NAME));
  }

  /**
   * With a table of another name.
   *
   * @param name lower case, with a schema or without
   * @throws IllegalArgumentException if it is no such name
   */
  public static JdbcStateReceiver inTable(String name) {
    return new JdbcStateReceiver(new AppliedTable(name));
  }

  /**
   * Stores a value in the transaction that it is given.
   *
   * @param <T> the type of the value
   */
  @FunctionalInterface
  public interface Change<T> {
    /**
     * Stores the value. Neither commits nor rolls back.
     *
     * @throws SQLException if it could not; the transaction is to be rolled back
     */
    void store(Connection connection, T value) throws SQLException;
  }

  /**
   * Applies an update if it is newer than what was applied last under the key, else does nothing.
   * The key stays locked until the transaction ends.
   *
   * <p>Whatever is thrown, roll back; the coordinator delivers again. The stamp is written after
   * the change, so that even a caller who commits then has not lost the update.
   *
   * @param connection in a transaction, which stays the caller's to commit
   * @param key what the value is of: one for each group, member and state that live in this
   *     database, such as {@code acme/acme-3/limits}. A transaction that applies several goes
   *     through them in a fixed order
   * @param change called on this thread, at most once, if it is newer
   * @throws SQLException what the database or the change said; of class 40 if another transaction
   *     was in the way
   * @throws IllegalArgumentException if the key is empty, longer than 255 characters or holds
   *     control characters, or the stamp is {@link Stamp#LOCAL}
   * @throws IllegalStateException if the connection is in autocommit
   */
  public <T> Reception apply(
      Connection connection, String key, StateUpdate<T> update, Change<? super T> change)
      throws SQLException {
    check(key);
    Objects.requireNonNull(change, "change");
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the connection is in autocommit: call setAutoCommit(false) first, so that the value and"
              + " its stamp are committed together");
    }
    Reception.judge(HighWater.NONE, update); // before anything is locked
    HighWater seen = lock(connection, key);
    Verdict verdict = Reception.judge(seen, update);
    if (verdict == Verdict.NEWER) {
      change.store(connection, update.value());
      write(connection, key, seen.with(update.stamp()));
    }
    return Reception.of(verdict);
  }

  private static void check(String key) {
    if (key.isBlank()) {
      throw new IllegalArgumentException("the key of a state must not be empty");
    }
    Names.checkText("the key of a state", key, LONGEST_KEY);
  }

  /** What was applied last under a key; empty if nothing was. For people; locks nothing. */
  public Optional<Stamp> applied(Connection connection, String key) throws SQLException {
    check(key);
    HighWater seen = read(connection, key);
    return seen == null ? Optional.empty() : seen.stamps().stream().findFirst();
  }

  /** Locks the row of a key, which is made where it is not there, and reads it. */
  private HighWater lock(Connection connection, String key) throws SQLException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (update(connection, table.lock(), key) == 1) {
        HighWater seen = read(connection, key);
        if (seen != null) {
          return seen;
        }
      } else if (insert(connection, key)) {
        return HighWater.NONE;
      }
    }
    // As at REPEATABLE READ: somebody else's row is in the way, and cannot be seen.
    throw new SQLTransactionRollbackException(
        "the state " + key + " was made by another transaction; roll back and try again", "40001");
  }

  /** Whether the row could be made; if not, somebody else has made it meanwhile. */
  private boolean insert(Connection connection, String key) throws SQLException {
    Savepoint before = connection.setSavepoint(); // PostgreSQL ends a transaction at an error
    try {
      update(connection, table.insert(), key, AppliedTable.NOTHING);
      connection.releaseSavepoint(before);
      return true;
    } catch (SQLException e) {
      if (!isDuplicate(e)) {
        throw e;
      }
      connection.rollback(before);
      return false;
    }
  }

  /** Class 23 is the standard's; SQLite gives none and says it in the code: SQLITE_CONSTRAINT. */
  private static boolean isDuplicate(SQLException e) {
    String state = e.getSQLState();
    if (state == null || state.isEmpty()) {
      return (e.getErrorCode() & 0xff) == 19;
    }
    return state.startsWith("23");
  }

  private @Nullable HighWater read(Connection connection, String key) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(table.read())) {
      query.setString(1, key);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? seen(key, row.getString(1)) : null;
      }
    }
  }

  private HighWater seen(String key, String stamps) throws SQLException {
    if (stamps.equals(AppliedTable.NOTHING)) {
      return HighWater.NONE;
    }
    try {
      return HighWater.parse(stamps);
    } catch (IllegalArgumentException e) {
      throw new SQLDataException(
          "what the table " + table.name() + " holds for " + key + " are no stamps", "22000", e);
    }
  }

  private void write(Connection connection, String key, HighWater seen) throws SQLException {
    if (update(connection, table.write(), seen.text(), key) != 1) {
      throw new SQLTransactionRollbackException(
          "the row of " + key + " was removed while it was locked", "40001");
    }
  }

  private static int update(Connection connection, String sql, String... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      return statement.executeUpdate();
    }
  }

  // ---- the table -------------------------------------------------------------------------------

  /** The statement that creates the table, for migrations of the application's own. */
  public String ddl() {
    return table.ddl();
  }

  /**
   * Looks whether the table is there with its columns.
   *
   * @throws SQLException if it is not, or may not be read; in a transaction, roll back
   */
  public void validate(Connection connection) throws SQLException {
    execute(connection, table.validate());
  }

  /**
   * Creates the table where it is not there; where it is, no right to create is needed. Several
   * processes may do so at once.
   *
   * @param connection in autocommit, or in a transaction, which is the caller's to commit
   * @throws SQLException if it could not be created; in a transaction, roll back
   */
  public void create(Connection connection) throws SQLException {
    if (attempt(connection, table.validate()) == null) {
      return;
    }
    SQLException refused = attempt(connection, table.ddl());
    if (refused != null
        && attempt(connection, table.validate()) != null) { // nobody else has either
      throw refused;
    }
  }

  /** Why it failed, with the transaction as it was before; null if it did not. */
  private static @Nullable SQLException attempt(Connection connection, String sql)
      throws SQLException {
    Savepoint before = connection.getAutoCommit() ? null : connection.setSavepoint();
    try {
      execute(connection, sql);
      return null;
    } catch (SQLException e) {
      if (before != null) {
        connection.rollback(before);
      }
      return e;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The table's name. */
  @Override
  public String toString() {
    return "JdbcStateReceiver[" + table.name() + "]";
  }
}
