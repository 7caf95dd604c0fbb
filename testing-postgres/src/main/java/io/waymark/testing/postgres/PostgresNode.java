package io.waymark.testing.postgres;

import io.waymark.testing.Direction;
import io.waymark.testing.TcpProxy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One server of a {@link PostgresCluster}, with the levers that make it late, silent, dead or
 * primary. Levers work on the server itself, never through its proxy, and return when what they
 * promise has come true; if it does not within the cluster's timeout, they throw a {@link
 * PostgresClusterException} that shows the end of the server's log.
 *
 * <p>Thread safe.
 */
public final class PostgresNode {

  private static final int CONNECT_SECONDS = 5;
  private static final int MIN_ANSWER_SECONDS = 60;
  private static final Duration NUDGE = Duration.ofMillis(250);

  private static final String LOAD_TIME = "SELECT extract(epoch FROM pg_conf_load_time())::text";

  private final PostgresCluster cluster;
  private final String name;
  private final ServerProcess server;
  private final Duration timeout;
  private final @Nullable TcpProxy proxy;
  private final RoundTripCounter traffic = new RoundTripCounter();

  PostgresNode(
      PostgresCluster cluster,
      String name,
      ServerProcess server,
      Duration timeout,
      boolean proxied) {
    this.cluster = cluster;
    this.name = name;
    this.server = server;
    this.timeout = timeout;
    this.proxy =
        proxied
            ? TcpProxy.builder()
                .name(name)
                .target("127.0.0.1", server.port())
                .observe(traffic::connection)
                .start()
            : null;
  }

  ServerProcess server() {
    return server;
  }

  // ---- where it is and how it is -------------------------------------------------------------

  /**
   * The name it got at the start: {@code primary}, {@code replica-1} and so on. It keeps it when
   * roles change. It is its application name towards its primary too.
   */
  public String name() {
    return name;
  }

  /** The server's own port on 127.0.0.1; it stays the same for the cluster's life. */
  public int port() {
    return server.port();
  }

  /** The JDBC URL of the server itself, without user. */
  public String url() {
    return url(server.port());
  }

  /**
   * The JDBC URL through the node's proxy, without user.
   *
   * @throws IllegalStateException if the cluster was built with {@code proxied(false)}
   */
  public String proxyUrl() {
    return url(proxy().port());
  }

  private String url(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + cluster.database();
  }

  /**
   * The proxy in front of the node: latency, black hole, reset, refusal, counters.
   *
   * @throws IllegalStateException if the cluster was built with {@code proxied(false)}
   */
  public TcpProxy proxy() {
    if (proxy == null) {
      throw new IllegalStateException(
          name + " has no proxy: build the cluster with proxied(true), which is the default");
    }
    return proxy;
  }

  /** What has gone through the proxy so far. */
  public WireStats wire() {
    TcpProxy through = proxy();
    return new WireStats(
        traffic.requests(),
        traffic.roundTrips(),
        through.bytes(Direction.TO_SERVER),
        through.bytes(Direction.TO_CLIENT),
        through.connectionsOpened());
  }

  /** Round trips that clients made through the proxy, after their start; see {@link WireStats}. */
  public long roundTrips() {
    return traffic.roundTrips();
  }

  /** Connects to the server itself as the superuser. The caller closes the connection. */
  public Connection connect() throws SQLException {
    return open(cluster.database(), PostgresCluster.SUPERUSER, "", 0);
  }

  /** Connects to the server itself as the given role. The caller closes the connection. */
  public Connection connect(String role, String password) throws SQLException {
    return open(cluster.database(), role, password, 0);
  }

  private Connection open(String database, String role, String password, int answerSeconds)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", role);
    properties.setProperty("password", password);
    properties.setProperty("sslmode", "disable");
    properties.setProperty("gssEncMode", "disable");
    properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
    properties.setProperty("socketTimeout", Integer.toString(answerSeconds));
    String url = "jdbc:postgresql://127.0.0.1:" + server.port() + "/" + database;
    return DriverManager.getConnection(url, properties);
  }

  /** Whether the server's processes are there; frozen ones are. */
  public boolean isRunning() {
    return server.isRunning();
  }

  /** Whether {@link #freeze()} holds it. */
  public boolean isFrozen() {
    return server.isFrozen();
  }

  /** The postmaster's process id, or -1 if the server is down. */
  public long pid() {
    return server.pid();
  }

  /** Whether it answers and says that it is a primary. False if it is down or frozen. */
  public boolean isPrimary() {
    return answers() && !isStandby();
  }

  private boolean answers() {
    return isRunning() && !isFrozen();
  }

  private boolean isStandby() {
    return queryBoolean("SELECT pg_is_in_recovery()");
  }

  /** The last lines of the server's log. */
  public String log() {
    return server.tail();
  }

  // ---- processes -----------------------------------------------------------------------------

  /**
   * Starts the server in the role it has on disk and waits until it accepts connections. A killed
   * primary recovers and is a primary again; use {@link PostgresCluster#failover} and {@link
   * #rejoin()} for the other story. Does nothing if it runs.
   */
  public PostgresNode start() {
    cluster.requireOpen();
    server.launch();
    server.awaitReady();
    return this;
  }

  /**
   * Stops the server in order ({@code fast}): clients are disconnected with 57P01, standbys get
   * everything. Does nothing if it is down.
   */
  public PostgresNode stop() {
    if (isFrozen()) {
      thaw();
    }
    server.stop();
    return this;
  }

  /**
   * Kills all processes of the server (SIGKILL). When this returns they are gone and the port
   * refuses connections. Does nothing if it is down.
   */
  public PostgresNode kill() {
    server.kill();
    return this;
  }

  /**
   * Stops all processes of the server where they are (SIGSTOP): connections stay open, new ones are
   * accepted by the system, and nothing answers.
   */
  public PostgresNode freeze() {
    requireRunning();
    server.freeze();
    return this;
  }

  /** Lets a frozen server run on. Does nothing if it is not frozen. */
  public PostgresNode thaw() {
    server.thaw();
    return this;
  }

  /** Stops and starts the server, for settings that need it. */
  public PostgresNode restart() {
    return stop().start();
  }

  private void requireRunning() {
    cluster.requireOpen();
    if (!isRunning()) {
      throw new PostgresClusterException(name + " is down; start() it first");
    }
    if (isFrozen()) {
      throw new PostgresClusterException(name + " is frozen; thaw() it first");
    }
  }

  // ---- replay --------------------------------------------------------------------------------

  /** Pauses replay on a standby: it goes on receiving, and what it shows stands still. */
  public PostgresNode pauseReplay() {
    execute("SELECT pg_wal_replay_pause()");
    awaitReplayState("paused");
    return this;
  }

  /** Ends {@link #pauseReplay()}. */
  public PostgresNode resumeReplay() {
    execute("SELECT pg_wal_replay_resume()");
    awaitReplayState("not paused");
    return this;
  }

  private void awaitReplayState(String state) {
    await(
        connection -> state.equals(string(connection, "SELECT pg_get_wal_replay_pause_state()")),
        "replay did not become '" + state + "'");
  }

  /**
   * Makes a standby apply commits this much after they happened ({@code recovery_min_apply_delay}).
   *
   * @param delay in whole milliseconds; zero takes the lever back
   * @throws IllegalArgumentException if the delay is negative
   */
  public PostgresNode applyDelay(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay must not be negative, was " + delay);
    }
    return setting("recovery_min_apply_delay", delay.toMillis() + "ms");
  }

  /**
   * On a primary the position up to which its log is flushed; on a standby the one up to which it
   * is replayed.
   */
  public WalPosition walPosition() {
    return WalPosition.parse(
        queryString(
            "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()"
                + " ELSE pg_current_wal_flush_lsn() END::text"));
  }

  /** The timeline the server writes, or last received from its primary. */
  public int timeline() {
    String sql =
        isStandby()
            ? "SELECT coalesce((SELECT received_tli FROM pg_stat_wal_receiver),"
                + " (SELECT timeline_id FROM pg_control_checkpoint()))::text"
            : "SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int::text";
    return Integer.parseInt(queryString(sql));
  }

  /**
   * Waits until a standby has applied everything that the cluster's primary has written so far. If
   * that takes long the primary commits an empty message now and then, because the end of its log
   * may be one that a standby reaches only with the next record. Returns at once on the primary.
   */
  public PostgresNode awaitCaughtUp() {
    PostgresNode primary = cluster.primary();
    if (primary == this) {
      return this;
    }
    primary.requireRunning();
    WalPosition goal =
        WalPosition.parse(primary.queryString("SELECT pg_current_wal_insert_lsn()::text"));
    long[] nudged = {System.nanoTime()};
    await(
        connection -> {
          if (System.nanoTime() - nudged[0] > NUDGE.toNanos()) {
            primary.nudge();
            nudged[0] = System.nanoTime();
          }
          return hasApplied(connection, goal.withoutPageHeader());
        },
        "did not catch up with " + primary.name + " at " + goal);
    return this;
  }

  /** Whether it follows somebody and applies what it gets without being held back. */
  boolean isApplying() {
    return queryBoolean(
        "SELECT pg_is_in_recovery() AND NOT pg_is_wal_replay_paused()"
            + " AND current_setting('recovery_min_apply_delay') = '0'"
            + " AND EXISTS (SELECT FROM pg_stat_wal_receiver)");
  }

  private static boolean hasApplied(Connection connection, WalPosition goal) throws SQLException {
    return "t"
        .equals(
            string(
                connection,
                "SELECT coalesce(pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= '"
                    + goal
                    + "' AND EXISTS (SELECT FROM pg_stat_wal_receiver), false)"));
  }

  private void nudge() {
    execute(
        "SET synchronous_commit = local",
        "SELECT pg_logical_emit_message(true, 'waymark-testing', '')");
  }

  // ---- whom it follows -----------------------------------------------------------------------

  /**
   * Promotes a standby and waits until it accepts writes; the cluster's {@linkplain
   * PostgresCluster#primary() primary} is this node from then on. The old primary and the other
   * standbys are left alone: on purpose this makes two primaries if the old one runs. {@link
   * PostgresCluster#switchover} and {@link PostgresCluster#failover} do the whole story.
   */
  public PostgresNode promote() {
    requireRunning();
    if (!isStandby()) {
      throw new PostgresClusterException(name + " is a primary already");
    }
    boolean promoted =
        queryBoolean("SELECT pg_promote(true, " + Math.max(1, timeout.toSeconds()) + ")");
    if (!promoted) {
      throw failed("was not promoted");
    }
    cluster.promoted(this);
    return this;
  }

  /**
   * Makes this node a standby of another one without waiting for it. On a server that is down it
   * takes effect at the next start, also for a former primary: one whose history went another way
   * then starts, serves what it has and never streams, which is what a careless operator gets. Use
   * {@link #rejoin()} to copy it anew.
   *
   * @throws PostgresClusterException if this node runs as a primary
   */
  public PostgresNode follow(PostgresNode upstream) {
    requireOther(upstream);
    String conninfo = cluster.conninfo(this, upstream);
    if (!isRunning()) {
      markStandby();
    } else if (!isStandby()) {
      throw new PostgresClusterException(name + " runs as a primary; stop() or kill() it first");
    }
    return setting("primary_conninfo", conninfo);
  }

  /** Like {@link #follow}, and waits until the node streams. The node must run as a standby. */
  public PostgresNode repoint(PostgresNode upstream) {
    requireRunning();
    return follow(upstream).awaitStreaming(upstream);
  }

  /** Makes a standby follow nobody: it keeps what it has and serves it, ever staler. */
  public PostgresNode detach() {
    requireRunning();
    setting("primary_conninfo", "");
    await(
        connection ->
            "f".equals(string(connection, "SELECT EXISTS (SELECT FROM pg_stat_wal_receiver)")),
        "did not stop following");
    return this;
  }

  /** Waits until this standby streams from the given node. */
  public PostgresNode awaitStreaming(PostgresNode upstream) {
    requireOther(upstream);
    await(
        connection ->
            "t"
                    .equals(
                        string(
                            connection,
                            "SELECT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status ="
                                + " 'streaming' AND sender_port = "
                                + upstream.port()
                                + ")"))
                && upstream.streamsTo(this),
        "does not stream from "
            + upstream.name
            + "; if its history went another way, rejoin() copies it anew");
    return this;
  }

  private boolean streamsTo(PostgresNode standby) {
    return queryBoolean(
        "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE state = 'streaming'"
            + " AND application_name = "
            + Sql.literal(standby.name)
            + ")");
  }

  /**
   * Throws this node's data away, copies it anew from the cluster's primary and waits until it
   * streams. Settings that were changed on this node alone are forgotten; the proxy's levers stay.
   * A running node is ended first. Tablespaces are not copied.
   *
   * @throws PostgresClusterException if this node is the cluster's primary
   */
  public PostgresNode rejoin() {
    PostgresNode primary = cluster.primary();
    requireOther(primary);
    primary.requireRunning();
    server.quit();
    BaseBackup.copy(primary, this);
    cluster.configure(this, primary);
    markStandby();
    start();
    return awaitStreaming(primary);
  }

  private void requireOther(PostgresNode other) {
    cluster.requireOpen();
    if (other == this) {
      throw new PostgresClusterException(name + " cannot follow itself");
    }
    if (other.cluster != cluster) {
      throw new PostgresClusterException(other.name + " belongs to another cluster than " + name);
    }
  }

  // ---- settings ------------------------------------------------------------------------------

  /**
   * Changes a setting on this node and makes it take effect, unless it needs a {@link #restart()}.
   * Works on a server that is down too.
   *
   * @throws PostgresClusterException if the server refuses it
   */
  public PostgresNode setting(String setting, String value) {
    Sql.requireSetting(setting);
    cluster.requireOpen();
    if (isRunning()) {
      alterAndReload("ALTER SYSTEM SET " + setting + " = " + Sql.literal(value));
    } else {
      write(
          server.data().resolve("postgresql.auto.conf"),
          setting + " = " + Sql.configured(value) + "\n",
          StandardOpenOption.APPEND);
    }
    return this;
  }

  /** Takes a setting of this node back to what the cluster was built with. */
  public PostgresNode resetSetting(String setting) {
    Sql.requireSetting(setting);
    alterAndReload("ALTER SYSTEM RESET " + setting);
    return this;
  }

  /**
   * The reload is a signal to the postmaster, which passes it on; it has arrived when a session
   * that begins now knows a later time of loading.
   */
  private void alterAndReload(String alteration) {
    String before = queryString(LOAD_TIME);
    execute(alteration, "SELECT pg_reload_conf()");
    Wait.until(
        timeout,
        () -> !queryString(LOAD_TIME).equals(before),
        () -> failed("did not reload its configuration"));
  }

  void markStandby() {
    write(server.data().resolve("standby.signal"), "");
  }

  void write(Path file, String text, StandardOpenOption... more) {
    try {
      StandardOpenOption[] options = {
        StandardOpenOption.CREATE,
        more.length == 0 ? StandardOpenOption.TRUNCATE_EXISTING : more[0],
        StandardOpenOption.WRITE
      };
      Files.writeString(file, text, StandardCharsets.UTF_8, options);
    } catch (IOException e) {
      throw new PostgresClusterException(name + ": cannot write " + file.getFileName(), e);
    }
  }

  private static final String RECOVERY_CONFLICT = "40001";

  // ---- SQL for levers ------------------------------------------------------------------------

  /** A statement's work on a connection. */
  @FunctionalInterface
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** Levers use the database that is there from the start, on a standby that lags too. */
  <T> T withConnection(Work<T> work) {
    return withConnection(PostgresCluster.SUPERUSER, work);
  }

  /**
   * Does the work, and does it again when the standby cancelled it to go on replaying: levers may
   * be pulled twice.
   */
  private <T> T withConnection(String database, Work<T> work) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      requireRunning();
      try (Connection connection = open(database, PostgresCluster.SUPERUSER, "", answerSeconds())) {
        return work.on(connection);
      } catch (SQLException e) {
        boolean cancelled = RECOVERY_CONFLICT.equals(e.getSQLState());
        if (!cancelled || System.nanoTime() - deadline > 0) {
          throw failed("failed: " + e.getMessage(), e);
        }
      }
    }
  }

  /** Longer than the longest wait inside the server, so that a lever fails with its own words. */
  private int answerSeconds() {
    return (int) Math.max(MIN_ANSWER_SECONDS, 2 * timeout.toSeconds());
  }

  /** Runs statements in autocommit on one connection, in order. */
  void execute(String... statements) {
    executeIn(PostgresCluster.SUPERUSER, statements);
  }

  void executeIn(String database, String... statements) {
    withConnection(
        database,
        connection -> {
          try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
              statement.execute(sql);
            }
          }
          return true;
        });
  }

  private String queryString(String sql) {
    return withConnection(connection -> string(connection, sql));
  }

  private boolean queryBoolean(String sql) {
    return "t".equals(queryString(sql));
  }

  static String string(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return Optional.ofNullable(row.getString(1)).orElse("");
    }
  }

  /** Waits on one connection until a condition holds. */
  private void await(Work<Boolean> condition, String otherwise) {
    withConnection(
        connection -> {
          Function<Connection, Boolean> look =
              open -> {
                try {
                  return condition.on(open);
                } catch (SQLException e) {
                  if (RECOVERY_CONFLICT.equals(e.getSQLState())) {
                    return false;
                  }
                  throw failed(otherwise + ": " + e.getMessage(), e);
                }
              };
          Wait.until(timeout, () -> look.apply(connection), () -> failed(otherwise));
          return true;
        });
  }

  private PostgresClusterException failed(String what) {
    return failed(what, null);
  }

  private PostgresClusterException failed(String what, @Nullable Throwable cause) {
    return new PostgresClusterException(
        name + " " + what + ". Its log ends:\n" + server.tail(), cause);
  }

  void close() {
    try {
      if (proxy != null) {
        proxy.close();
      }
    } finally {
      server.close();
    }
  }

  /** Name, port and state. */
  @Override
  public String toString() {
    String state = !isRunning() ? "down" : isFrozen() ? "frozen" : "running";
    return name + "[127.0.0.1:" + port() + ", " + state + "]";
  }
}
