package io.waymark.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/**
 * The connections of one endpoint: a HikariCP pool, and on the primary a small second one for reads
 * in autocommit, whose sessions are read-only.
 *
 * <p>Callers queue for a permit before they ask HikariCP, one permit per connection that the pool
 * may have. So a wait for another caller and a wait for a server that does not answer are told
 * apart: the first may last as long as {@code acquireTimeout} and says nothing about the server,
 * the second ends at the first attempt to connect that fails.
 *
 * <p>Thread safe.
 */
final class EndpointPool implements AutoCloseable {
  /** HikariCP's shortest. A caller with a permit asks again until its own deadline. */
  private static final Duration HIKARI_TIMEOUT = Duration.ofMillis(250);

  /** How often a caller that queues looks whether there is still a point in it. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private static final org.slf4j.Logger LOG = org.slf4j.LoggerFactory.getLogger(EndpointPool.class);

  private final Endpoint endpoint;
  private final WaymarkDataSourceConfig config;
  private final PhysicalOpener opener;
  private final Lane main;
  private final @Nullable Lane readOnly;
  private final @Nullable Semaphore fallbackReads;

  EndpointPool(
      Endpoint endpoint,
      WaymarkDataSourceConfig config,
      PhysicalOpener opener,
      Readings readings,
      ScheduledExecutorService housekeeper) {
    this.endpoint = endpoint;
    this.config = config;
    this.opener = opener;
    int max = endpoint.config().max();
    boolean split = endpoint.config().ordinal() == 0 && max > 1 && !config.sharesSessions();
    int forReads = split ? Math.max(1, max / READ_ONLY_SHARE) : 0;
    this.main = new Lane("", max - forReads, false, readings, housekeeper);
    this.readOnly = split ? new Lane("-read-only", forReads, true, readings, housekeeper) : null;
    this.fallbackReads =
        endpoint.config().ordinal() == 0 ? new Semaphore(Math.max(1, max / 2), true) : null;
  }

  /** The read-only pool's share of the primary's connections: one in so many. */
  private static final int READ_ONLY_SHARE = 4;

  /** Which connections. */
  enum Kind {
    /** Ordinary ones. */
    MAIN,
    /** Sessions whose transactions are read-only by default, for reads in autocommit. */
    READ_ONLY
  }

  private final Set<PhysicalConnection> taken = ConcurrentHashMap.newKeySet();

  /** Breaks the connections in use: whoever waits for an answer on one learns that none comes. */
  void abortInUse() {
    for (PhysicalConnection connection : taken) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("endpoint {}: a connection did not abort", endpoint, e);
      }
    }
  }

  /** Whether no connection is free and somebody queues for one. */
  boolean isSaturated() {
    return main.permits.availablePermits() == 0 && main.permits.hasQueuedThreads();
  }

  /** Connections that are in use now. */
  int inUse() {
    return main.inUse() + (readOnly == null ? 0 : readOnly.inUse());
  }

  /** A connection and what it holds; given back once. */
  final class Lease {
    private final Connection connection;
    private final PhysicalConnection physical;
    private final Lane lane;
    private final boolean fallback;
    private boolean condemned;

    private Lease(Connection connection, PhysicalConnection physical, Lane lane, boolean fallback) {
      this.connection = connection;
      this.physical = physical;
      this.lane = lane;
      this.fallback = fallback;
    }

    /** The pool's connection. */
    Connection connection() {
      return connection;
    }

    /** What is known of it. */
    PhysicalConnection physical() {
      return physical;
    }

    Kind kind() {
      return lane == main ? Kind.MAIN : Kind.READ_ONLY;
    }

    Endpoint endpoint() {
      return endpoint;
    }

    /** Gives the connection back, if there still is a pool to take it. */
    void release() throws SQLException {
      if (condemned) {
        discard();
      } else {
        end(Connection::close);
      }
    }

    /**
     * Has it thrown away when it is given back. The pool tests a connection only after a pause, so
     * a dead one that nobody sends anything on would come again and again.
     */
    void condemn() {
      condemned = true;
    }

    /** Throws the connection away: the pool closes it and opens another when it needs one. */
    void discard() throws SQLException {
      end(gone -> lane.hikari().evictConnection(gone));
    }

    private void end(Ending ending) throws SQLException {
      taken.remove(physical);
      try {
        if (!lane.isClosed()) {
          ending.of(connection);
        }
      } catch (RuntimeException e) {
        if (!lane.isClosed()) { // a pool that was closed meanwhile has thrown away what it stood on
          throw e;
        }
      } finally {
        lane.permits.release();
        if (fallback && fallbackReads != null) {
          fallbackReads.release();
        }
      }
    }
  }

  /** How a lease ends. */
  @FunctionalInterface
  private interface Ending {
    void of(Connection connection) throws SQLException;
  }

  /**
   * How long a caller waits, and for what.
   *
   * @param deadline up to when, on the ticker
   * @param untilItComes whether to wait also for a server that cannot be reached now: a write has
   *     nowhere else to go, a read has
   * @param pointless ends the wait early: nobody waits for an endpoint that is gone
   */
  record Patience(long deadline, boolean untilItComes, BooleanSupplier pointless) {}

  /**
   * Waits for a connection.
   *
   * @param kind which connections
   * @param fallback whether this is a read that no replica may serve: only half of the primary's
   *     connections are for such reads
   * @throws SQLException WM1846 when no connection became free in time; the driver's error, in the
   *     class of connection failures, when the server could not be reached
   */
  Lease acquire(Kind kind, boolean fallback, Patience patience) throws SQLException {
    Lane lane = lane(kind);
    Semaphore share = fallback ? fallbackReads : null;
    if (share != null) {
      await(share, patience);
    }
    boolean leased = false;
    try {
      await(lane.permits, patience);
      try {
        Lease lease = lease(lane, lane.connection(patience), share != null);
        leased = true;
        return lease;
      } finally {
        if (!leased) {
          lane.permits.release();
        }
      }
    } finally {
      if (share != null && !leased) {
        share.release();
      }
    }
  }

  /** Where all read-only sessions are taken, an ordinary one that is free serves as well. */
  private Lane lane(Kind kind) {
    if (kind == Kind.MAIN || readOnly == null) {
      return main;
    }
    boolean elsewhere =
        readOnly.permits.availablePermits() == 0 && main.permits.availablePermits() > 0;
    return elsewhere ? main : readOnly;
  }

  private Lease lease(Lane lane, Connection connection, boolean fallback) throws SQLException {
    try {
      Lease lease = new Lease(connection, PhysicalConnection.of(connection), lane, fallback);
      taken.add(lease.physical);
      return lease;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private void await(Semaphore permits, Patience patience) throws SQLException {
    LongSupplier ticker = config.ticker();
    try {
      if (permits.tryAcquire()) {
        return;
      }
      while (true) {
        long left = patience.deadline() - ticker.getAsLong();
        if (left <= 0) {
          throw timeout(null);
        }
        if (permits.tryAcquire(Math.min(left, LOOK.toNanos()), TimeUnit.NANOSECONDS)) {
          return;
        }
        if (patience.pointless().getAsBoolean()) {
          throw wentAway();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    }
  }

  private SQLException interrupted(Exception cause) {
    return new SQLException(
        "interrupted while waiting for a connection of endpoint " + endpoint, "57014", cause);
  }

  private SQLException wentAway() {
    return new SQLException("endpoint " + endpoint + " went away", "08006");
  }

  private SQLException timeout(@Nullable Throwable cause) {
    return PostgresError.ACQUIRE_TIMEOUT.exception(
        "no connection of endpoint "
            + endpoint
            + " became free in "
            + config.acquireTimeout().toMillis()
            + " ms ("
            + inUse()
            + " of "
            + endpoint.config().max()
            + " in use)",
        cause);
  }

  /** Replaces every connection: those in use when they come back. */
  void evict() {
    main.evict();
    if (readOnly != null) {
      readOnly.evict();
    }
  }

  @Override
  public void close() {
    if (readOnly != null) {
      readOnly.close();
    }
    main.close();
  }

  /** One HikariCP pool, opened when it is first needed, and the queue before it. */
  private final class Lane {
    private final Semaphore permits;
    private final int size;
    private final HikariConfig hikariConfig;
    private final Opener opener;
    private final ReentrantLock opening = new ReentrantLock();
    private volatile @Nullable HikariDataSource hikari;
    private boolean closed;

    Lane(
        String suffix,
        int size,
        boolean sessionsReadOnly,
        Readings readings,
        ScheduledExecutorService housekeeper) {
      this.permits = new Semaphore(size, true);
      this.size = size;
      this.opener = new Opener(readings, sessionsReadOnly);
      this.hikariConfig = new HikariConfig();
      hikariConfig.setPoolName("waymark-" + endpoint.name() + suffix);
      hikariConfig.setDataSource(opener);
      hikariConfig.setMaximumPoolSize(size);
      hikariConfig.setMinimumIdle(0);
      hikariConfig.setConnectionTimeout(HIKARI_TIMEOUT.toMillis());
      hikariConfig.setValidationTimeout(HIKARI_TIMEOUT.toMillis());
      hikariConfig.setInitializationFailTimeout(-1);
      hikariConfig.setScheduledExecutor(housekeeper);
      hikariConfig.setExceptionOverride(new KeepRefusing());
      PoolSettings.apply(config.pool(), hikariConfig);
    }

    int inUse() {
      return size - permits.availablePermits();
    }

    /** HikariCP connects in the background as soon as it exists, so it exists only when needed. */
    HikariDataSource hikari() throws SQLException {
      HikariDataSource open = hikari;
      if (open != null) {
        return open;
      }
      opening.lock();
      try {
        if (closed) {
          throw PostgresError.CLOSED.exception("the data source is closed", null);
        }
        if (hikari == null) {
          hikari = new HikariDataSource(hikariConfig);
        }
        return hikari;
      } finally {
        opening.unlock();
      }
    }

    Connection connection(Patience patience) throws SQLException {
      while (true) {
        try {
          return hikari().getConnection();
        } catch (SQLException e) {
          if (isClosed()) {
            throw PostgresError.CLOSED.exception("the data source is closed", e);
          }
          if (Thread.currentThread().isInterrupted()) {
            throw interrupted(e);
          }
          boolean late = patience.deadline() - config.ticker().getAsLong() <= 0;
          Opener.Failure failure = opener.lastFailure.get();
          if (failure != null && (late || !patience.untilItComes() || !failure.mayPass())) {
            throw failure.asException(endpoint);
          }
          if (late) {
            throw timeout(e);
          }
          if (patience.pointless().getAsBoolean()) {
            throw wentAway();
          }
        }
      }
    }

    private boolean isClosed() {
      HikariDataSource open = hikari;
      return open != null && open.isClosed();
    }

    void evict() {
      HikariDataSource open = hikari;
      if (open != null && !open.isClosed()) {
        open.getHikariPoolMXBean().softEvictConnections();
      }
    }

    void close() {
      opening.lock();
      try {
        closed = true;
      } finally {
        opening.unlock();
      }
      HikariDataSource open = hikari;
      if (open != null) {
        open.close();
      }
    }
  }

  /** A refusal says nothing against the connection: HikariCP would throw it away for 0A000. */
  private static final class KeepRefusing implements SQLExceptionOverride {
    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException exception) {
      String state = exception.getSQLState();
      return "0A000".equals(state) || "25006".equals(state)
          ? SQLExceptionOverride.Override.DO_NOT_EVICT
          : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }
  }

  /** Opens what the pool keeps, and remembers the last failure to do so. */
  private final class Opener implements DataSource {
    private static final String READ_ONLY_SESSIONS = "SET default_transaction_read_only = on";

    /** Why the last attempt to open a connection failed. */
    private record Failure(SQLException cause) {
      /** Whether it may be otherwise soon: a wrong password will not. */
      boolean mayPass() {
        return Failures.isConnection(cause) || Failures.isBusy(cause);
      }

      /** A new exception for each caller, in the class of connection failures where it is one. */
      SQLException asException(Endpoint endpoint) {
        boolean connection = Failures.isConnection(cause);
        return new SQLException(
            "no connection to endpoint " + endpoint + ": " + cause.getMessage(),
            connection ? "08001" : cause.getSQLState(),
            cause);
      }
    }

    private final AtomicReference<@Nullable Failure> lastFailure = new AtomicReference<>();
    private final Readings readings;
    private final boolean sessionsReadOnly;

    Opener(Readings readings, boolean sessionsReadOnly) {
      this.readings = readings;
      this.sessionsReadOnly = sessionsReadOnly;
    }

    @Override
    public Connection getConnection() throws SQLException {
      lastFailure.set(null); // an attempt under way is no failure yet
      int mark = endpoint.monitor().mark();
      try {
        PhysicalConnection opened =
            introduced(opener.open(config.connectTimeout(), config.connectTimeout()));
        endpoint.monitor().reached(opened.introduction().server(), mark);
        return opened;
      } catch (SQLException e) {
        lastFailure.set(new Failure(e));
        throw e;
      }
    }

    private PhysicalConnection introduced(Connection opened) throws SQLException {
      try {
        long reading = readings.last();
        if (sessionsReadOnly) {
          try (Statement statement = opened.createStatement()) {
            statement.execute(READ_ONLY_SESSIONS);
          }
        }
        ServerQueries.Introduction introduction = ServerQueries.introduce(opened);
        opened.setNetworkTimeout(Runnable::run, opener.socketTimeoutMillis());
        return new PhysicalConnection(
            opened.unwrap(BaseConnection.class), introduction, reading, config.sharesSessions());
      } catch (SQLException | RuntimeException e) {
        try {
          opened.close();
        } catch (SQLException closing) {
          e.addSuppressed(closing);
        }
        throw e;
      }
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
      throw new SQLFeatureNotSupportedException("the endpoint's user is configured");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
      return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    /** HikariCP waits so long at close for a connection that is being opened. */
    @Override
    public int getLoginTimeout() {
      return (int) Math.max(1, config.connectTimeout().toSeconds());
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
      throw new SQLFeatureNotSupportedException("java.util.logging is not used");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      throw new SQLException("this wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
      return false;
    }
  }
}
