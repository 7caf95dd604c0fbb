package io.waymark.postgres;

import io.waymark.core.Operation;
import io.waymark.core.Role;
import io.waymark.core.RouteDecision;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source over a PostgreSQL primary and its replicas: reads go to replicas that may serve
 * them, everything else to the primary, and a read never misses what its own session wrote.
 *
 * <p>Reads are declared: a connection or transaction that is read-only, a {@link #using(Role)}
 * source, or a {@link #route(Role)} scope. SQL is never guessed at.
 *
 * <table>
 * <caption>Where a statement goes</caption>
 * <tr><th>read-only</th><th>scope</th><th>goes to</th></tr>
 * <tr><td>no</td><td>none, primary</td><td>the primary</td></tr>
 * <tr><td>yes</td><td>none</td><td>a replica that may serve it, else the fallback; a serializable
 *     transaction: the primary</td></tr>
 * <tr><td>yes</td><td>primary</td><td>the primary, never elsewhere; it stays read-only</td></tr>
 * <tr><td>reports true</td><td>replica</td><td>a replica, never elsewhere; writes and locking reads
 *     are refused with WM1840 before anything is sent</td></tr>
 * </table>
 *
 * <p>A replica may serve a read when its circuit is closed, it is a standby of the same cluster, it
 * has replayed everything that the session wrote, and it is within {@code maxLag}. A connection is
 * bound to an endpoint by the first statement that needs a server, and moves only between
 * transactions.
 *
 * <p>What a session is: by default everything that uses this data source; see {@link #session()}.
 *
 * <p>Thread safe. {@link #close()} stops the probes and closes the pools.
 */
public final class WaymarkDataSource implements DataSource, AutoCloseable {
  private final DataSourceRuntime runtime;
  private final Admin admin;
  private final Watermark shared;

  @SuppressWarnings("ThreadLocalUsage") // one per data source: scopes of another must not count
  private final ThreadLocal<@Nullable CausalSession> sessions = new ThreadLocal<>();

  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<@Nullable RouteScope> scopes = new ThreadLocal<>();

  private WaymarkDataSource(DataSourceRuntime runtime) {
    this.runtime = runtime;
    this.admin = new Admin(runtime.liveView());
    this.shared = runtime.newWatermark();
  }

  /** Starts a configuration; {@link WaymarkDataSourceBuilder#connect()} opens it. */
  public static WaymarkDataSourceBuilder builder() {
    return new WaymarkDataSourceBuilder();
  }

  /**
   * Opens what was configured: starts a probe per endpoint and waits for the first answer of each,
   * at most {@code connectTimeout}. A replica may be missing; it serves when its probe succeeds.
   *
   * @param driver opens the physical connections
   * @throws SQLException if the primary cannot be reached; everything opened is closed again
   */
  static WaymarkDataSource connect(WaymarkDataSourceConfig config, Driver driver)
      throws SQLException {
    DataSourceRuntime runtime = new DataSourceRuntime(config, driver);
    try {
      runtime.open();
    } catch (SQLException | RuntimeException e) {
      runtime.close();
      throw e;
    }
    return new WaymarkDataSource(runtime);
  }

  /**
   * A connection of this thread's session and scope. It reaches no server until a statement needs
   * one.
   *
   * @throws SQLException WM1848 if the data source is closed
   */
  @Override
  public Connection getConnection() throws SQLException {
    RouteScope scope = scopes.get();
    return connection(scope == null ? null : scope.role());
  }

  /** As {@link #getConnection()}, with something to run once when it is closed. */
  Connection connection(Runnable closed) throws SQLException {
    runtime.checkOpen();
    return new RoutedConnection(runtime, shared, null, closed);
  }

  private Connection connection(@Nullable Role forced) throws SQLException {
    runtime.checkOpen();
    DataSource existing = runtime.config().existing().orElse(null);
    if (existing != null) {
      runtime.announce(
          Operation.TX,
          runtime.config().primary().name(),
          PostgresReason.SINGLE_ENDPOINT.text(runtime.config().primary().name()));
      return existing.getConnection();
    }
    CausalSession session = sessions.get();
    return new RoutedConnection(
        runtime, session == null ? shared : session.watermark(), forced, () -> {});
  }

  /** Not supported: all connections are of the configured user. */
  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException(
        "connections are of the configured user; use getConnection()", "0A000");
  }

  /**
   * A data source that forces a role: with {@link Role#REPLICA} nothing ever reaches the primary,
   * with {@link Role#PRIMARY} nothing ever leaves it. It shares everything with this one and has
   * nothing to close.
   *
   * @throws io.waymark.core.OptionException if this data source has one endpoint that serves both
   */
  public DataSource using(Role role) {
    refuseWhenSingle("using");
    return new ForcedDataSource(this, role);
  }

  /**
   * Forces a role for connections that this thread gets until the scope is closed. Scopes nest.
   *
   * @throws io.waymark.core.OptionException if this data source has one endpoint that serves both
   */
  public RouteScope route(Role role) {
    refuseWhenSingle("route");
    RouteScope scope = new RouteScope(role, scopes, scopes.get());
    scopes.set(scope);
    return scope;
  }

  private void refuseWhenSingle(String what) {
    if (runtime.config().single()) {
      throw new io.waymark.core.OptionException(
          what
              + " needs a primary and replicas; this data source has one endpoint that serves both");
    }
  }

  /**
   * Starts a session of this thread: reads on connections that it gets until the session is closed
   * see the writes of this session, and wait for nobody else's. Sessions nest; the inner one is
   * independent.
   */
  public CausalSession session() {
    CausalSession session = new CausalSession(runtime.newWatermark(), sessions, sessions.get());
    sessions.set(session);
    return session;
  }

  /**
   * Where a call of this thread would go now, and why. It gets the evidence that the call would
   * get, and so may wait up to a probe interval; it sends nothing, fires no event and moves no
   * rotation.
   *
   * @throws SQLException WM1848 if the data source is closed; 57014 if interrupted
   */
  public RouteDecision inspect(Operation operation) throws SQLException {
    runtime.checkOpen();
    RouteScope scope = scopes.get();
    CausalSession session = sessions.get();
    return new Inspection(
            runtime,
            session == null ? shared : session.watermark(),
            new RouteRequest(operation, scope == null ? null : scope.role(), false))
        .run();
  }

  /** What an operator may change while this data source runs; always the same object. */
  public Admin admin() {
    return admin;
  }

  /** What is believed about each endpoint now, the primary first. */
  public List<EndpointStatus> endpoints() {
    ReplicaSetView view = runtime.view();
    return view.nodes().stream()
        .map(node -> EndpointStatus.of(node, view, runtime.rules()))
        .toList();
  }

  /** Stops the probes and closes the pools. Idempotent. */
  @Override
  public void close() {
    runtime.close();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  /** Ignored: logging goes to slf4j. */
  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  /** Ignored: see {@code connectTimeout} and {@code acquireTimeout}. */
  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return (int) Math.min(Integer.MAX_VALUE, runtime.config().acquireTimeout().toSeconds());
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("logging goes to slf4j");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new SQLException("this does not wrap a " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }

  /** The endpoints' names; no URL, no credentials. */
  @Override
  public String toString() {
    return "WaymarkDataSource" + runtime.endpoints();
  }

  /** Forces a role; shares everything else. */
  private record ForcedDataSource(WaymarkDataSource root, Role role) implements DataSource {
    @Override
    public Connection getConnection() throws SQLException {
      return root.connection(role);
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
      return root.getConnection(username, password);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
      return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
      return root.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
      return root.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      return type.isInstance(this) ? type.cast(this) : root.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
      return type.isInstance(this) || root.isWrapperFor(type);
    }
  }
}
