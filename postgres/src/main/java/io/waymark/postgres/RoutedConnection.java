package io.waymark.postgres;

import io.waymark.core.Attempts;
import io.waymark.core.Operation;
import io.waymark.core.Role;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Struct;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;

/**
 * The connection that callers hold. It has no server behind it until a statement needs one; then it
 * is bound to an endpoint, and stays bound until it is closed, or moves between transactions when
 * what was declared changes or the endpoint may not serve any more.
 *
 * <p>Not thread safe, as connections are not, except for {@link #abort} and a statement's {@code
 * cancel}.
 */
final class RoutedConnection implements Connection {
  private final DataSourceRuntime runtime;
  private final Watermark watermark;
  private final @Nullable Role forced;
  private final List<RoutedStatement<?>> statements = new ArrayList<>(2);
  private final List<ResultSet> metadataResults = new ArrayList<>(0);
  private final Runnable afterClose;
  private final SessionSettings settings = new SessionSettings();

  private volatile @Nullable Binding binding;
  private @Nullable String pinnedBy;
  private boolean unwrapped;
  private boolean closed;

  /**
   * @param afterClose runs once, when the caller closes it
   */
  RoutedConnection(
      DataSourceRuntime runtime, Watermark watermark, @Nullable Role forced, Runnable afterClose) {
    this.afterClose = afterClose;
    this.runtime = runtime;
    this.watermark = watermark;
    this.forced = forced;
    settings.readOnly = forced == Role.REPLICA;
  }

  // ---- how a statement gets to a server

  /**
   * Runs something on a server: in the open transaction, or after a decision.
   *
   * @param traits what the text shows
   * @param batch whether it is a batch, which is always a write
   * @param resendable whether it may be sent again to another server if this one fails
   */
  <R> R run(SqlTraits traits, boolean batch, boolean resendable, Work<Binding, R> work)
      throws SQLException {
    checkOpen();
    RouteRequest request = request(traits, batch);
    Binding bound = binding;
    if (bound != null && bound.inTransaction()) {
      refuseOnReplica(request);
      refuseVainLock(traits, bound);
      return bound.runInTransaction(request.operation(), traits, work);
    }
    return Attempts.run(new StatementJourney<>(this, request, traits, resendable, work));
  }

  /** Runs something that has no text of its own, such as reading metadata. */
  <R> R run(Work<Binding, R> work) throws SQLException {
    return run(SqlTraits.NOTHING, false, true, work);
  }

  private RouteRequest request(SqlTraits traits, boolean batch) {
    boolean writes = batch || traits.knownWrite();
    boolean read = settings.readOnly && !(forced == Role.REPLICA && (writes || traits.locking()));
    Operation operation =
        read
            ? Operation.READ
            : traits.locking() && !writes
                ? Operation.LOCK
                : settings.autoCommit ? Operation.WRITE : Operation.TX;
    boolean primaryOnly =
        settings.serializable() || traits.serializable() || traits.locksInVainOnStandby();
    return new RouteRequest(operation, forced, primaryOnly);
  }

  private void refuseOnReplica(RouteRequest request) throws SQLException {
    if (forced == Role.REPLICA && request.operation() != Operation.READ) {
      throw runtime.refusal(request, PostgresReason.CONSTRAINT_REPLICA);
    }
  }

  /** A transaction that began on a replica cannot move, and must not believe that it has a lock. */
  private void refuseVainLock(SqlTraits traits, Binding bound) throws SQLException {
    if (traits.locksInVainOnStandby() && !bound.endpoint().isPrimary()) {
      throw PostgresError.NEEDS_PRIMARY.exception(
          "endpoint "
              + bound.endpoint()
              + " is a replica, where this lock would exclude nobody; take it as the first statement"
              + " of the transaction, or on the primary",
          null);
    }
  }

  DataSourceRuntime runtime() {
    return runtime;
  }

  Watermark watermark() {
    return watermark;
  }

  SessionSettings settings() {
    return settings;
  }

  @Nullable Binding binding() {
    return binding;
  }

  void bind(@Nullable Binding bound) {
    binding = bound;
  }

  /** What ties the caller to the physical connection; null if it may move between transactions. */
  @Nullable String tiedBy() {
    if (pinnedBy != null) {
      return pinnedBy;
    }
    for (RoutedStatement<?> statement : statements) {
      if (statement.hasOpenResult()) {
        return "an open result set";
      }
    }
    metadataResults.removeIf(RoutedConnection::isClosed);
    return metadataResults.isEmpty() ? null : "an open result set of the metadata";
  }

  private static boolean isClosed(ResultSet result) {
    try {
      return result.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  /** Keeps track of a result that belongs to no statement. */
  ResultSet track(ResultSet result) {
    metadataResults.add(result);
    return result;
  }

  /** Remembers what the text of a statement that was sent leaves behind. */
  void sent(SqlTraits traits) {
    Binding bound = binding;
    if (traits.sessionState()) {
      pin("session state");
      if (bound != null) {
        bound.lease().physical().roleMayHaveChanged();
      }
    }
  }

  /** Around a write that does not come through a statement of its own. */
  void beforeOrAfterWrite() {
    if (settings.autoCommit) {
      runtime.dirty(watermark);
    }
  }

  private void pin(String by) {
    if (pinnedBy == null) {
      pinnedBy = by;
    }
  }

  void track(RoutedStatement<?> statement) {
    statements.add(statement);
  }

  void closed(RoutedStatement<?> statement) {
    statements.remove(statement);
  }

  void checkOpen() throws SQLException {
    if (closed) {
      throw PostgresError.CLOSED.exception("the connection is closed", null);
    }
    runtime.checkOpen();
  }

  // ---- transactions

  @Override
  public void setAutoCommit(boolean autoCommit) throws SQLException {
    checkOpen();
    if (settings.autoCommit == autoCommit) {
      return;
    }
    if (autoCommit) {
      commit(); // as JDBC has it: turning it on in a transaction commits
    }
    settings.autoCommit = autoCommit;
    tellTheDriver();
  }

  @Override
  public boolean getAutoCommit() throws SQLException {
    checkOpen();
    return settings.autoCommit;
  }

  @Override
  public void commit() throws SQLException {
    checkOpen();
    if (settings.autoCommit) {
      throw new SQLException("commit in autocommit", "25P01");
    }
    Binding bound = binding;
    if (bound != null) {
      bound.commit();
    }
  }

  @Override
  public void rollback() throws SQLException {
    checkOpen();
    if (settings.autoCommit) {
      throw new SQLException("rollback in autocommit", "25P01");
    }
    Binding bound = binding;
    if (bound != null) {
      bound.rollback();
    }
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    return run(bound -> bound.connection().setSavepoint());
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    return run(bound -> bound.connection().setSavepoint(name));
  }

  @Override
  public void rollback(Savepoint savepoint) throws SQLException {
    bound().connection().rollback(savepoint);
  }

  @Override
  public void releaseSavepoint(Savepoint savepoint) throws SQLException {
    bound().connection().releaseSavepoint(savepoint);
  }

  /** The binding that a savepoint must have come from. */
  private Binding bound() throws SQLException {
    checkOpen();
    Binding bound = binding;
    if (bound == null) {
      throw new SQLException("no transaction is open", "25P01");
    }
    return bound;
  }

  @Override
  public void setReadOnly(boolean readOnly) throws SQLException {
    checkOpen();
    if (forced == Role.REPLICA || settings.readOnly == readOnly) {
      return; // pools and frameworks reset what they find; a replica stays read-only
    }
    Binding bound = binding;
    if (bound != null && bound.inTransaction()) {
      throw new SQLException("read-only cannot change in the middle of a transaction", "25001");
    }
    settings.readOnly = readOnly;
    tellTheDriver();
  }

  /** Else it learns with the next statement; but who holds it may use it without one of ours. */
  private void tellTheDriver() throws SQLException {
    if (unwrapped) {
      run(bound -> bound.connection().isClosed());
    }
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    checkOpen();
    return settings.readOnly;
  }

  @Override
  public void setTransactionIsolation(int level) throws SQLException {
    checkOpen();
    Binding bound = binding;
    if (bound != null && bound.inTransaction()) {
      throw new SQLException(
          "the isolation level cannot change in the middle of a transaction", "25001");
    }
    if (bound != null && !runtime.config().sharesSessions()) {
      bound.connection().setTransactionIsolation(level);
    } else if (level != TRANSACTION_READ_UNCOMMITTED
        && level != TRANSACTION_READ_COMMITTED
        && level != TRANSACTION_REPEATABLE_READ
        && level != TRANSACTION_SERIALIZABLE) {
      throw new SQLException("transaction isolation level " + level + " is not supported", "0A000");
    }
    settings.isolation = level;
  }

  @Override
  public int getTransactionIsolation() throws SQLException {
    checkOpen();
    Binding bound = binding;
    if (settings.isolation != SessionSettings.NOT_SET) {
      return settings.isolation;
    }
    return bound == null
        ? TRANSACTION_READ_COMMITTED
        : bound.connection().getTransactionIsolation();
  }

  // ---- statements

  @Override
  public Statement createStatement() throws SQLException {
    checkOpen();
    return new RoutedStatement<>(this, Connection::createStatement);
  }

  @Override
  public Statement createStatement(int type, int concurrency) throws SQLException {
    checkOpen();
    return new RoutedStatement<>(this, on -> on.createStatement(type, concurrency));
  }

  @Override
  public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
    checkOpen();
    return new RoutedStatement<>(this, on -> on.createStatement(type, concurrency, holdability));
  }

  @Override
  public PreparedStatement prepareStatement(String sql) throws SQLException {
    return prepared(sql, on -> on.prepareStatement(sql));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency)
      throws SQLException {
    return prepared(sql, on -> on.prepareStatement(sql, type, concurrency));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    return prepared(sql, on -> on.prepareStatement(sql, type, concurrency, holdability));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
    return prepared(sql, on -> on.prepareStatement(sql, autoGeneratedKeys));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
    return prepared(sql, on -> on.prepareStatement(sql, columnIndexes));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
    return prepared(sql, on -> on.prepareStatement(sql, columnNames));
  }

  private PreparedStatement prepared(String sql, Work<Connection, PreparedStatement> maker)
      throws SQLException {
    checkOpen();
    return new RoutedPreparedStatement<>(this, sql, maker);
  }

  @Override
  public CallableStatement prepareCall(String sql) throws SQLException {
    return called(sql, on -> on.prepareCall(sql));
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
    return called(sql, on -> on.prepareCall(sql, type, concurrency));
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    return called(sql, on -> on.prepareCall(sql, type, concurrency, holdability));
  }

  private CallableStatement called(String sql, Work<Connection, CallableStatement> maker)
      throws SQLException {
    checkOpen();
    return new RoutedCallableStatement(this, sql, maker);
  }

  @Override
  public String nativeSQL(String sql) throws SQLException {
    return run(bound -> bound.connection().nativeSQL(sql));
  }

  @Override
  public DatabaseMetaData getMetaData() throws SQLException {
    checkOpen();
    return new RoutedDatabaseMetaData(this);
  }

  // ---- values that the driver makes

  @Override
  public Clob createClob() throws SQLException {
    return run(bound -> bound.connection().createClob());
  }

  @Override
  public Blob createBlob() throws SQLException {
    return run(bound -> bound.connection().createBlob());
  }

  @Override
  public NClob createNClob() throws SQLException {
    return run(bound -> bound.connection().createNClob());
  }

  @Override
  public SQLXML createSQLXML() throws SQLException {
    return run(bound -> bound.connection().createSQLXML());
  }

  @Override
  public Array createArrayOf(String typeName, Object[] elements) throws SQLException {
    return run(bound -> bound.connection().createArrayOf(typeName, elements));
  }

  @Override
  public Struct createStruct(String typeName, Object[] attributes) throws SQLException {
    return run(bound -> bound.connection().createStruct(typeName, attributes));
  }

  // ---- settings of the session

  @Override
  public void setCatalog(String catalog) throws SQLException {
    checkOpen(); // PostgreSQL has one catalog per connection: the driver ignores it too
  }

  @Override
  public @Nullable String getCatalog() throws SQLException {
    return run(bound -> bound.connection().getCatalog());
  }

  @Override
  public void setSchema(String schema) throws SQLException {
    checkOpen();
    if (runtime.config().sharesSessions()) {
      throw new SQLFeatureNotSupportedException(
          "the schema of a session cannot be set behind a pooler in transaction mode, where other"
              + " clients would find it; qualify names, or set search_path for the role",
          "0A000");
    }
    Binding bound = binding;
    if (bound != null) {
      bound.connection().setSchema(schema);
    }
    settings.schema = schema;
  }

  @Override
  public @Nullable String getSchema() throws SQLException {
    checkOpen();
    return settings.schema != null ? settings.schema : run(bound -> bound.connection().getSchema());
  }

  @Override
  public Map<String, Class<?>> getTypeMap() throws SQLException {
    checkOpen();
    return settings.typeMap == null ? new HashMap<>() : settings.typeMap;
  }

  @Override
  public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
    checkOpen();
    Binding bound = binding;
    if (bound != null) {
      bound.connection().setTypeMap(map);
    }
    settings.typeMap = map;
  }

  @Override
  public void setHoldability(int holdability) throws SQLException {
    checkOpen();
    if (holdability != ResultSet.HOLD_CURSORS_OVER_COMMIT
        && holdability != ResultSet.CLOSE_CURSORS_AT_COMMIT) {
      throw new SQLException("holdability " + holdability + " is not supported", "22023");
    }
    Binding bound = binding;
    if (bound != null) {
      bound.connection().setHoldability(holdability);
    }
    settings.holdability = holdability;
  }

  @Override
  public int getHoldability() throws SQLException {
    checkOpen();
    return settings.holdability == SessionSettings.NOT_SET
        ? ResultSet.CLOSE_CURSORS_AT_COMMIT
        : settings.holdability;
  }

  @Override
  public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
    checkOpen();
    if (milliseconds < 0) {
      throw new SQLException("the network timeout must not be negative", "22023");
    }
    Binding bound = binding;
    if (bound != null) {
      bound.connection().setNetworkTimeout(executor, milliseconds);
    }
    settings.networkTimeout = milliseconds;
  }

  @Override
  public int getNetworkTimeout() throws SQLException {
    checkOpen();
    return Math.max(0, settings.networkTimeout);
  }

  @Override
  public void setClientInfo(String name, @Nullable String value) throws SQLClientInfoException {
    try {
      checkOpen();
      settings.clientInfo(name, value == null ? "" : value);
      Binding bound = binding;
      if (bound != null) {
        bound.clientInfo(name, value);
      }
    } catch (SQLClientInfoException e) {
      throw e;
    } catch (SQLException e) {
      throw new SQLClientInfoException(e.getMessage(), e.getSQLState(), Map.of(), e);
    }
  }

  @Override
  public void setClientInfo(Properties properties) throws SQLClientInfoException {
    for (String name : properties.stringPropertyNames()) {
      setClientInfo(name, properties.getProperty(name));
    }
  }

  @Override
  public @Nullable String getClientInfo(String name) throws SQLException {
    checkOpen();
    Binding bound = binding;
    return bound != null ? bound.connection().getClientInfo(name) : settings.clientInfo().get(name);
  }

  @Override
  public Properties getClientInfo() throws SQLException {
    checkOpen();
    Binding bound = binding;
    if (bound != null) {
      return bound.connection().getClientInfo();
    }
    Properties properties = new Properties();
    properties.putAll(settings.clientInfo());
    return properties;
  }

  @Override
  public @Nullable SQLWarning getWarnings() throws SQLException {
    checkOpen();
    Binding bound = binding;
    return bound == null ? null : bound.connection().getWarnings();
  }

  @Override
  public void clearWarnings() throws SQLException {
    checkOpen();
    Binding bound = binding;
    if (bound != null) {
      bound.connection().clearWarnings();
    }
  }

  // ---- its end

  @Override
  public void close() throws SQLException {
    if (closed) {
      return;
    }
    closed = true;
    for (RoutedStatement<?> statement : List.copyOf(statements)) {
      statement.closeQuietly();
    }
    metadataResults.forEach(RoutedStatement::closeQuietly);
    Binding bound = binding;
    binding = null;
    try {
      if (bound != null) {
        bound.release();
      }
    } finally {
      if (unwrapped) {
        watermark.watchedAgain(runtime.readings().last());
      }
      afterClose.run();
    }
  }

  @Override
  public boolean isClosed() throws SQLException {
    return closed || runtime.isClosed();
  }

  @Override
  public boolean isValid(int timeout) throws SQLException {
    if (timeout < 0) {
      throw new SQLException("the timeout must not be negative", "22023");
    }
    if (isClosed()) {
      return false;
    }
    Binding bound = binding;
    return bound == null || bound.connection().isValid(timeout);
  }

  @Override
  public void abort(Executor executor) throws SQLException {
    Binding bound = binding;
    if (bound != null) {
      bound.connection().abort(executor);
    }
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    checkOpen();
    if (!isWrapperFor(type)) {
      throw new SQLException("this does not wrap a " + type.getName());
    }
    handOut();
    return run(bound -> bound.connection().unwrap(type));
  }

  /**
   * The caller gets hold of something of the driver's, and may do with its connection what it
   * likes: it stays where it is, and the session counts as dirty until it is closed.
   */
  void handOut() throws SQLException {
    run(bound -> bound.connection().isClosed()); // binds as declared, and moves first where it must
    pin("unwrap");
    Binding bound = binding;
    if (bound != null) {
      bound.lease().physical().roleMayHaveChanged();
    }
    if (!unwrapped) {
      unwrapped = true;
      watermark.unwatched();
    }
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(this) || type.isAssignableFrom(PgConnection.class);
  }

  @Override
  public String toString() {
    Binding bound = binding;
    return "RoutedConnection[" + (bound == null ? "unbound" : bound.endpoint().name()) + "]";
  }
}
