package io.waymark.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A statement that is made on a server when it is executed there, and made anew when its connection
 * has moved since.
 *
 * <p>Not thread safe, except for {@link #cancel}.
 *
 * @param <S> the driver's statement
 */
class RoutedStatement<S extends Statement> implements Statement {
  private static final Logger LOG = LoggerFactory.getLogger(RoutedStatement.class);

  private final RoutedConnection connection;
  private final Work<Connection, S> maker;
  private final List<String> batch = new ArrayList<>(0);
  private volatile @Nullable S inner;
  private EndpointPool.@Nullable Lease madeOn;
  private @Nullable ResultSet result;
  private int maxFieldSize;
  private long maxRows;
  private int queryTimeout;
  private int fetchSize;
  private int fetchDirection = ResultSet.FETCH_FORWARD;
  private boolean escapeProcessing = true;
  private @Nullable String cursorName;
  private @Nullable Boolean poolable;
  private boolean resultPending;
  private boolean closeOnCompletion;
  private boolean closed;

  RoutedStatement(RoutedConnection connection, Work<Connection, S> maker) {
    this.connection = connection;
    this.maker = maker;
    connection.track(this);
  }

  // ---- how it gets to a server

  /** Runs this statement where its connection decides. */
  final <R> R execute(SqlTraits traits, boolean batched, boolean resendable, Work<S, R> work)
      throws SQLException {
    checkOpen();
    forgetResult();
    return connection.run(
        traits,
        batched,
        resendable,
        bound -> bound.readsWhole() ? whole(on(bound), work) : work.on(on(bound)));
  }

  /** Asks the driver's statement about itself: an open result stays open. */
  final <R> R ask(Work<S, R> question) throws SQLException {
    checkOpen();
    S made = inner;
    return made != null && !made.isClosed()
        ? question.on(made)
        : connection.run(bound -> question.on(on(bound)));
  }

  /** All rows arrive at once: a cursor would end with the transaction around this statement. */
  private <R> R whole(S made, Work<S, R> work) throws SQLException {
    int portion = made.getFetchSize();
    made.setFetchSize(0);
    try {
      return work.on(made);
    } finally {
      if (!made.isClosed()) {
        made.setFetchSize(portion);
      }
    }
  }

  /** The driver's statement on this connection. */
  private S on(Binding bound) throws SQLException {
    S made = inner;
    if (made != null && madeOn == bound.lease() && !made.isClosed()) {
      return made;
    }
    forgetInner();
    S fresh = maker.on(bound.connection());
    inner = fresh;
    madeOn = bound.lease();
    applySettings(fresh);
    return fresh;
  }

  private void applySettings(S fresh) throws SQLException {
    if (maxFieldSize != 0) {
      fresh.setMaxFieldSize(maxFieldSize);
    }
    if (maxRows != 0) {
      setMaxRows(fresh, maxRows);
    }
    if (queryTimeout != 0) {
      fresh.setQueryTimeout(queryTimeout);
    }
    if (fetchSize != 0) {
      fresh.setFetchSize(fetchSize);
    }
    if (fetchDirection != ResultSet.FETCH_FORWARD) {
      fresh.setFetchDirection(fetchDirection);
    }
    if (!escapeProcessing) {
      fresh.setEscapeProcessing(false);
    }
    if (cursorName != null) {
      fresh.setCursorName(cursorName);
    }
    if (poolable != null) {
      fresh.setPoolable(poolable);
    }
    if (closeOnCompletion) {
      fresh.closeOnCompletion();
    }
  }

  private static void setMaxRows(Statement on, long max) throws SQLException {
    if (max <= Integer.MAX_VALUE) {
      on.setMaxRows((int) max);
    } else {
      on.setLargeMaxRows(max);
    }
  }

  final RoutedConnection routed() {
    return connection;
  }

  /** The driver's statement that ran last. */
  final S results() throws SQLException {
    checkOpen();
    S made = inner;
    if (made == null) {
      throw new SQLException("the statement was not executed yet", "HY010");
    }
    return made;
  }

  /** The caller's form of a result of this statement. */
  final ResultSet shown(ResultSet driver) {
    RoutedResultSet shown = new RoutedResultSet(connection, this, driver);
    result = shown;
    resultPending = false;
    return shown;
  }

  private @Nullable ResultSet shownOrNone(@Nullable ResultSet driver) {
    return driver == null ? null : shown(driver);
  }

  /** Whether a result of this statement is open. */
  final boolean hasOpenResult() {
    ResultSet open = result;
    try {
      return resultPending || (open != null && !open.isClosed());
    } catch (SQLException e) {
      return false;
    }
  }

  /** Executing a statement closes the result before it, as JDBC has it. */
  private void forgetResult() {
    ResultSet open = result;
    result = null;
    resultPending = false;
    if (open != null) {
      closeQuietly(open);
    }
  }

  private void forgetInner() {
    S made = inner;
    inner = null;
    madeOn = null;
    if (made != null) {
      closeQuietly(made);
    }
  }

  static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      LOG.debug("could not close what belonged to a connection that is gone", e);
    }
  }

  final void checkOpen() throws SQLException {
    if (closed) {
      throw PostgresError.CLOSED.exception("the statement is closed", null);
    }
  }

  /** Sets something on the driver's statement, if there is one already. */
  private void keep(Setting<Statement> setting) throws SQLException {
    checkOpen();
    S made = inner;
    if (made != null && !made.isClosed()) {
      setting.on(made);
    }
  }

  /** Remembers that a result waits to be asked for. */
  final boolean tookResult(boolean isResult) {
    resultPending = isResult;
    return isResult;
  }

  // ---- executing

  /**
   * What a text that is given to execute shows.
   *
   * @throws SQLException if this kind of statement takes none
   */
  SqlTraits traitsOf(String sql) throws SQLException {
    return SqlTraits.of(sql);
  }

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    return shown(execute(traitsOf(sql), false, true, on -> on.executeQuery(sql)));
  }

  @Override
  public int executeUpdate(String sql) throws SQLException {
    return execute(traitsOf(sql), false, true, on -> on.executeUpdate(sql));
  }

  @Override
  public int executeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    return execute(traitsOf(sql), false, true, on -> on.executeUpdate(sql, autoGeneratedKeys));
  }

  @Override
  public int executeUpdate(String sql, int[] columnIndexes) throws SQLException {
    return execute(traitsOf(sql), false, true, on -> on.executeUpdate(sql, columnIndexes));
  }

  @Override
  public int executeUpdate(String sql, String[] columnNames) throws SQLException {
    return execute(traitsOf(sql), false, true, on -> on.executeUpdate(sql, columnNames));
  }

  @Override
  public long executeLargeUpdate(String sql) throws SQLException {
    return execute(traitsOf(sql), false, true, on -> on.executeLargeUpdate(sql));
  }

  @Override
  public long executeLargeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    return execute(traitsOf(sql), false, true, on -> on.executeLargeUpdate(sql, autoGeneratedKeys));
  }

  @Override
  public long executeLargeUpdate(String sql, int[] columnIndexes) throws SQLException {
    return execute(traitsOf(sql), false, true, on -> on.executeLargeUpdate(sql, columnIndexes));
  }

  @Override
  public long executeLargeUpdate(String sql, String[] columnNames) throws SQLException {
    return execute(traitsOf(sql), false, true, on -> on.executeLargeUpdate(sql, columnNames));
  }

  @Override
  public boolean execute(String sql) throws SQLException {
    return tookResult(execute(traitsOf(sql), false, true, on -> on.execute(sql)));
  }

  @Override
  public boolean execute(String sql, int autoGeneratedKeys) throws SQLException {
    return tookResult(
        execute(traitsOf(sql), false, true, on -> on.execute(sql, autoGeneratedKeys)));
  }

  @Override
  public boolean execute(String sql, int[] columnIndexes) throws SQLException {
    return tookResult(execute(traitsOf(sql), false, true, on -> on.execute(sql, columnIndexes)));
  }

  @Override
  public boolean execute(String sql, String[] columnNames) throws SQLException {
    return tookResult(execute(traitsOf(sql), false, true, on -> on.execute(sql, columnNames)));
  }

  @Override
  public void addBatch(String sql) throws SQLException {
    checkOpen();
    batch.add(sql);
  }

  @Override
  public void clearBatch() throws SQLException {
    checkOpen();
    batch.clear();
  }

  @Override
  public int[] executeBatch() throws SQLException {
    return batched(new int[0], Statement::executeBatch);
  }

  @Override
  public long[] executeLargeBatch() throws SQLException {
    return batched(new long[0], Statement::executeLargeBatch);
  }

  private <R> R batched(R nothing, Work<S, R> work) throws SQLException {
    checkOpen();
    if (batch.isEmpty()) {
      return nothing;
    }
    SqlTraits all = SqlTraits.of(String.join(";\n", batch));
    try {
      return execute(
          all,
          true,
          true,
          on -> {
            on.clearBatch();
            for (String sql : batch) {
              on.addBatch(sql);
            }
            return work.on(on);
          });
    } finally {
      batch.clear();
    }
  }

  /** Cancels what runs now, if anything does. Any thread may call it. */
  @Override
  public void cancel() throws SQLException {
    S made = inner;
    if (made != null) {
      made.cancel();
    }
  }

  // ---- results

  @Override
  public @Nullable ResultSet getResultSet() throws SQLException {
    checkOpen();
    S made = inner;
    return made == null ? null : shownOrNone(made.getResultSet());
  }

  @Override
  public int getUpdateCount() throws SQLException {
    checkOpen();
    S made = inner;
    return made == null ? -1 : made.getUpdateCount();
  }

  @Override
  public long getLargeUpdateCount() throws SQLException {
    checkOpen();
    S made = inner;
    return made == null ? -1 : made.getLargeUpdateCount();
  }

  @Override
  public boolean getMoreResults() throws SQLException {
    checkOpen();
    S made = inner;
    return tookResult(made != null && made.getMoreResults());
  }

  @Override
  public boolean getMoreResults(int current) throws SQLException {
    checkOpen();
    S made = inner;
    return tookResult(made != null && made.getMoreResults(current));
  }

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    return shown(results().getGeneratedKeys());
  }

  @Override
  public @Nullable SQLWarning getWarnings() throws SQLException {
    checkOpen();
    S made = inner;
    return made == null ? null : made.getWarnings();
  }

  @Override
  public void clearWarnings() throws SQLException {
    checkOpen();
    S made = inner;
    if (made != null) {
      made.clearWarnings();
    }
  }

  // ---- settings

  @Override
  public int getMaxFieldSize() throws SQLException {
    checkOpen();
    return maxFieldSize;
  }

  @Override
  public void setMaxFieldSize(int max) throws SQLException {
    notNegative(max, "maximum field size");
    keep(on -> on.setMaxFieldSize(max));
    maxFieldSize = max;
  }

  @Override
  public int getMaxRows() throws SQLException {
    checkOpen();
    return (int) Math.min(Integer.MAX_VALUE, maxRows);
  }

  @Override
  public void setMaxRows(int max) throws SQLException {
    setLargeMaxRows(max);
  }

  @Override
  public long getLargeMaxRows() throws SQLException {
    checkOpen();
    return maxRows;
  }

  @Override
  public void setLargeMaxRows(long max) throws SQLException {
    notNegative(max, "maximum of rows");
    keep(on -> setMaxRows(on, max));
    maxRows = max;
  }

  @Override
  public void setEscapeProcessing(boolean enable) throws SQLException {
    keep(on -> on.setEscapeProcessing(enable));
    escapeProcessing = enable;
  }

  @Override
  public int getQueryTimeout() throws SQLException {
    checkOpen();
    return queryTimeout;
  }

  @Override
  public void setQueryTimeout(int seconds) throws SQLException {
    notNegative(seconds, "query timeout");
    keep(on -> on.setQueryTimeout(seconds));
    queryTimeout = seconds;
  }

  @Override
  public void setCursorName(String name) throws SQLException {
    keep(on -> on.setCursorName(name));
    cursorName = name;
  }

  @Override
  public void setFetchDirection(int direction) throws SQLException {
    if (direction != ResultSet.FETCH_FORWARD
        && direction != ResultSet.FETCH_REVERSE
        && direction != ResultSet.FETCH_UNKNOWN) {
      throw new SQLException("fetch direction " + direction + " is not supported", "22023");
    }
    keep(on -> on.setFetchDirection(direction));
    fetchDirection = direction;
  }

  @Override
  public int getFetchDirection() throws SQLException {
    checkOpen();
    return fetchDirection;
  }

  @Override
  public void setFetchSize(int rows) throws SQLException {
    notNegative(rows, "fetch size");
    keep(on -> on.setFetchSize(rows));
    fetchSize = rows;
  }

  @Override
  public int getFetchSize() throws SQLException {
    checkOpen();
    return fetchSize;
  }

  private static void notNegative(long value, String what) throws SQLException {
    if (value < 0) {
      throw new SQLException("the " + what + " must not be negative", "22023");
    }
  }

  @Override
  public int getResultSetConcurrency() throws SQLException {
    return ask(Statement::getResultSetConcurrency);
  }

  @Override
  public int getResultSetType() throws SQLException {
    return ask(Statement::getResultSetType);
  }

  @Override
  public int getResultSetHoldability() throws SQLException {
    return ask(Statement::getResultSetHoldability);
  }

  @Override
  public void setPoolable(boolean poolable) throws SQLException {
    keep(on -> on.setPoolable(poolable));
    this.poolable = poolable;
  }

  @Override
  public boolean isPoolable() throws SQLException {
    checkOpen();
    return poolable != null ? poolable : this instanceof java.sql.PreparedStatement;
  }

  @Override
  public void closeOnCompletion() throws SQLException {
    keep(Statement::closeOnCompletion);
    closeOnCompletion = true;
  }

  @Override
  public boolean isCloseOnCompletion() throws SQLException {
    checkOpen();
    return closeOnCompletion;
  }

  // ---- its end

  @Override
  public Connection getConnection() throws SQLException {
    checkOpen();
    return connection;
  }

  @Override
  public void close() throws SQLException {
    if (closed) {
      return;
    }
    closed = true;
    connection.closed(this);
    result = null;
    S made = inner;
    inner = null;
    if (made != null) {
      made.close();
    }
  }

  /** Closes it with its connection, whatever state that is in. */
  final void closeQuietly() {
    closeQuietly(this);
  }

  @Override
  public boolean isClosed() throws SQLException {
    S made = inner;
    return closed || (closeOnCompletion && made != null && made.isClosed());
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    connection.handOut();
    return ask(on -> on.unwrap(type));
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(this)
        || type.isAssignableFrom(org.postgresql.jdbc.PgStatement.class)
        || org.postgresql.PGStatement.class == type;
  }
}
