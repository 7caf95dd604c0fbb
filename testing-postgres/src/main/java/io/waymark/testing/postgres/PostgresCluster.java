package io.waymark.testing.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real PostgreSQL cluster on 127.0.0.1: one primary and streaming replicas, for tests that want
 * to see lag, outage and failover happen.
 *
 * <pre>{@code
 * try (PostgresCluster cluster = PostgresCluster.builder().replicas(2).start()) {
 *   PostgresNode replica = cluster.replica(1);
 *   replica.pauseReplay();
 *   // ... what does the code under test do when a replica lags?
 *   cluster.failover(replica);
 * }
 * }</pre>
 *
 * <p>Every cluster has a system identifier of its own and its data in a folder of its own, in
 * memory where there is room. {@link #close()} ends the servers and removes the folder; a watchdog
 * does so when the JVM ends in any other way. The superuser {@value #SUPERUSER} needs no password;
 * {@code fsync} is off.
 *
 * <p>Thread safe. Levers on different nodes may be pulled at the same time; changes of role wait
 * for each other.
 */
public final class PostgresCluster implements AutoCloseable {

  /** The name of the superuser, who needs no password. */
  public static final String SUPERUSER = "postgres";

  private static final Logger LOG = LoggerFactory.getLogger(PostgresCluster.class);
  private static final int PORT_ATTEMPTS = 5;
  private static final String OUR_CONF = "waymark.conf";

  private final PostgresClusterConfig config;
  private final Installation installation;
  private final Path folder;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final List<PostgresNode> nodes = new ArrayList<>();
  private final List<PostgresClusterConfig.Role> passwordRoles = new CopyOnWriteArrayList<>();
  private final ReentrantLock roleChange = new ReentrantLock();
  private volatile @Nullable PostgresNode primary;
  private volatile boolean closed;

  /** How many of which nodes a commit waits for. Guarded by {@code roleChange}. */
  private SynchronousRule synchronous = new SynchronousRule(0, List.of());

  private record SynchronousRule(int count, List<PostgresNode> candidates) {}

  private PostgresCluster(PostgresClusterConfig config, Installation installation) {
    this.config = config;
    this.installation = installation;
    DataFolder data = DataFolder.create(config.folder(), config.replicas() + 1);
    this.folder = data.path();
    opened.add(data);
  }

  /** Options for a cluster. */
  public static PostgresClusterBuilder builder() {
    return new PostgresClusterBuilder();
  }

  // ---- start ---------------------------------------------------------------------------------

  static PostgresCluster start(PostgresClusterConfig config) {
    long begun = System.nanoTime();
    Privileges privileges = Privileges.get();
    Cache cache = Cache.open(privileges);
    Path installed = config.installation();
    Installation installation =
        installed == null ? new Binaries(cache).find(config.version()) : at(installed, config);
    Path template = new Template(cache, privileges, installation).folder();
    PostgresCluster cluster = startOnFreePorts(config, privileges, installation, template);
    LOG.info(
        "PostgreSQL {} is up after {} ms: {}",
        installation.version(),
        (System.nanoTime() - begun) / 1_000_000,
        cluster.nodes);
    return cluster;
  }

  private static Installation at(Path folder, PostgresClusterConfig config) {
    Installation found = Installation.at(folder);
    if (config.version() != 0 && config.version() != found.major()) {
      throw new PostgresClusterException(
          folder
              + " holds PostgreSQL "
              + found.version()
              + ", but version "
              + config.version()
              + " was asked for");
    }
    return found;
  }

  /** Between the choice of a port and the server's start somebody else may take it: then again. */
  private static PostgresCluster startOnFreePorts(
      PostgresClusterConfig config,
      Privileges privileges,
      Installation installation,
      Path template) {
    for (int attempt = 1; ; attempt++) {
      PostgresCluster cluster = new PostgresCluster(config, installation);
      try {
        cluster.open(privileges, template);
        return cluster;
      } catch (RuntimeException | Error e) {
        boolean portLost = cluster.nodes.stream().anyMatch(node -> node.server().lostPort());
        cluster.closeAfter(e);
        if (!portLost || attempt == PORT_ATTEMPTS) {
          throw e;
        }
        LOG.info("A port was taken by somebody else; starting again");
      }
    }
  }

  private void closeAfter(Throwable failure) {
    try {
      close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void open(Privileges privileges, Path template) {
    // Closed last: then the folder is gone and it has nothing to do.
    opened.add(0, Watchdog.over(folder));
    makeNodes(privileges);
    PostgresNode first = nodes.get(0);
    primary = first;
    launchAll(first, template, privileges);
    prepare(first);
    for (PostgresNode node : replicas()) {
      node.awaitStreaming(first).awaitCaughtUp();
    }
    if (config.synchronousReplicas() > 0) {
      synchronousStandbys(config.synchronousReplicas(), replicas().toArray(PostgresNode[]::new));
    }
  }

  private void makeNodes(Privileges privileges) {
    for (int i = 0; i <= config.replicas(); i++) {
      String name = i == 0 ? "primary" : "replica-" + i;
      ServerProcess server =
          new ServerProcess(name, folder.resolve(name), installation, privileges, config.timeout());
      PostgresNode node = new PostgresNode(this, name, server, config.timeout(), config.proxied());
      nodes.add(node);
      opened.add(node::close);
    }
  }

  /** Copies of a folder that was shut down cleanly are standbys as soon as they are told so. */
  private void launchAll(PostgresNode first, Path template, Privileges privileges) {
    config.roles().stream().filter(role -> role.password() != null).forEach(passwordRoles::add);
    long identifier = ControlFile.newIdentifier();
    try {
      if (privileges.changesUser()) {
        Folders.chown(folder, privileges.uid());
      }
      for (PostgresNode node : nodes) {
        Path data = node.server().data();
        Folders.createPrivate(node.server().home());
        Folders.copy(template, data, path -> true);
        ControlFile.assign(data, identifier);
        node.write(
            data.resolve("postgresql.conf"),
            "\ninclude '" + OUR_CONF + "'\n",
            StandardOpenOption.APPEND);
        configure(node, first);
        if (node != first) {
          node.markStandby();
        }
        node.server().launch();
      }
    } catch (IOException e) {
      throw new PostgresClusterException("cannot copy the template " + template, e);
    }
    nodes.forEach(node -> node.server().awaitReady());
  }

  private void prepare(PostgresNode first) {
    if (!config.database().equals(SUPERUSER)) {
      first.execute("CREATE DATABASE " + Sql.name(config.database()));
    }
    config.roles().forEach(role -> first.execute(createRoleSql(role)));
  }

  /** Writes what differs from the template's configuration, for a node that follows another. */
  void configure(PostgresNode node, PostgresNode upstream) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("fsync", "off");
    lines.put("shared_buffers", "16MB");
    lines.put("wal_keep_size", "128MB");
    lines.put("wal_log_hints", "on");
    lines.put("wal_retrieve_retry_interval", "100ms");
    lines.put("max_wal_senders", "20");
    lines.put("max_replication_slots", "20");
    lines.put("timezone", "UTC");
    lines.put("log_timezone", "UTC");
    // In files below the data folder, so that a killed server leaves nothing elsewhere.
    lines.put("dynamic_shared_memory_type", "mmap");
    lines.putAll(config.settings());
    lines.put("listen_addresses", "127.0.0.1");
    lines.put("unix_socket_directories", "");
    lines.put("port", Integer.toString(node.port()));
    lines.put("primary_conninfo", node == upstream ? "" : conninfo(node, upstream));
    String text =
        lines.entrySet().stream()
            .map(line -> line.getKey() + " = " + Sql.configured(line.getValue()) + "\n")
            .collect(Collectors.joining());
    node.write(node.server().data().resolve(OUR_CONF), text);
    node.write(node.server().data().resolve("pg_hba.conf"), accessRules());
  }

  String conninfo(PostgresNode node, PostgresNode upstream) {
    return "host=127.0.0.1 port="
        + upstream.port()
        + " user="
        + SUPERUSER
        + " application_name="
        + node.name()
        + " sslmode=disable gssencmode=disable";
  }

  private String accessRules() {
    StringBuilder rules = new StringBuilder();
    for (PostgresClusterConfig.Role role : passwordRoles) {
      String name = Sql.name(role.name());
      rules.append("host all ").append(name).append(" 127.0.0.1/32 scram-sha-256\n");
      rules.append("host replication ").append(name).append(" 127.0.0.1/32 scram-sha-256\n");
    }
    return rules
        .append("host all all 127.0.0.1/32 trust\n")
        .append("host replication all 127.0.0.1/32 trust\n")
        .toString();
  }

  // ---- what is there -------------------------------------------------------------------------

  /** The node that was made primary last. It may be down. */
  public PostgresNode primary() {
    PostgresNode node = primary;
    if (node == null) {
      throw new IllegalStateException("the cluster has no primary yet");
    }
    return node;
  }

  /** All nodes but the {@link #primary()}, in the order of their names. */
  public List<PostgresNode> replicas() {
    PostgresNode first = primary();
    return nodes.stream().filter(node -> node != first).toList();
  }

  /**
   * The node with the name {@code replica-<number>}, whatever its role is now.
   *
   * @param number from 1
   * @throws IllegalArgumentException if there is no such node
   */
  public PostgresNode replica(int number) {
    return node("replica-" + number);
  }

  /**
   * The node with the given name.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public PostgresNode node(String name) {
    return nodes.stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("no node is named " + name + "; there are " + nodes));
  }

  /** All nodes, in the order in which they were made: {@code primary}, {@code replica-1}, ... */
  public List<PostgresNode> nodes() {
    return List.copyOf(nodes);
  }

  /** The database that URLs name. */
  public String database() {
    return config.database();
  }

  /** The server's version, such as {@code 18.6}. */
  public String version() {
    return installation.version();
  }

  /** The first number of the server's version. */
  public int majorVersion() {
    return installation.major();
  }

  /** The folder that holds the data of all nodes; it goes away with the cluster. */
  public Path folder() {
    return folder;
  }

  // ---- changes of role -----------------------------------------------------------------------

  /**
   * A planned change of primary that loses nothing: the primary is stopped in order, the given
   * standby is promoted, the others follow it, and the old primary comes back as its standby.
   *
   * @param next a standby that runs and streams
   * @return the new primary
   */
  public PostgresNode switchover(PostgresNode next) {
    roleChange.lock();
    try {
      PostgresNode old = primary();
      requireCandidate(next, old);
      next.awaitStreaming(old);
      old.stop();
      applySynchronousRule(next, old);
      next.promote();
      follow(next, old);
      old.follow(next).start().awaitStreaming(next);
      return next;
    } finally {
      roleChange.unlock();
    }
  }

  /**
   * An unplanned change of primary: the primary is killed if it runs, the given standby is promoted
   * with what it has, and the other standbys that run follow it. The old primary stays down; {@link
   * PostgresNode#rejoin()} brings it back.
   *
   * @param next a standby that runs
   * @return the new primary
   */
  public PostgresNode failover(PostgresNode next) {
    roleChange.lock();
    try {
      PostgresNode old = primary();
      requireCandidate(next, old);
      old.kill();
      applySynchronousRule(next, null);
      next.promote();
      follow(next, old);
      return next;
    } finally {
      roleChange.unlock();
    }
  }

  private void requireCandidate(PostgresNode next, PostgresNode old) {
    requireOpen();
    if (next == old || !nodes.contains(next)) {
      throw new PostgresClusterException(next + " is no standby of this cluster");
    }
    if (!next.isRunning() || next.isFrozen()) {
      throw new PostgresClusterException(next + " cannot be promoted; it must run");
    }
  }

  private void follow(PostgresNode next, PostgresNode old) {
    for (PostgresNode node : nodes) {
      if (node != next && node != old && node.isRunning() && !node.isFrozen()) {
        node.repoint(next);
      }
    }
  }

  void promoted(PostgresNode node) {
    primary = node;
  }

  // ---- synchronous standbys ------------------------------------------------------------------

  /**
   * Makes commits on the primary wait until {@code count} of the given standbys have flushed them
   * ({@code ANY count (...)}). The rule moves along with {@link #switchover} and {@link #failover}.
   *
   * @param count 0 for asynchronous replication, then without standbys
   * @throws IllegalArgumentException if there are fewer standbys than the count
   */
  public void synchronousStandbys(int count, PostgresNode... standbys) {
    if (count < 0 || count > standbys.length) {
      throw new IllegalArgumentException(
          "count must be 0 to the number of standbys, was " + count + " of " + standbys.length);
    }
    roleChange.lock();
    try {
      synchronous = new SynchronousRule(count, List.copyOf(Arrays.asList(standbys)));
      primary().setting("synchronous_standby_names", synchronousText());
    } finally {
      roleChange.unlock();
    }
  }

  private String synchronousText() {
    if (synchronous.count() == 0) {
      return "";
    }
    return synchronous.candidates().stream()
        .map(node -> Sql.name(node.name()))
        .collect(Collectors.joining(", ", "ANY " + synchronous.count() + " (", ")"));
  }

  /**
   * The promoted node leaves the candidates, and the old primary, if it comes back, takes its
   * place.
   */
  private void applySynchronousRule(PostgresNode next, @Nullable PostgresNode returning) {
    List<PostgresNode> candidates = new ArrayList<>(synchronous.candidates());
    if (candidates.remove(next) && returning != null) {
      candidates.add(returning);
    }
    synchronous = new SynchronousRule(Math.min(synchronous.count(), candidates.size()), candidates);
    next.setting("synchronous_standby_names", synchronousText());
  }

  // ---- roles ---------------------------------------------------------------------------------

  /**
   * Creates a role with login that needs no password, and waits until all running standbys know it.
   *
   * @param options further words of {@code CREATE ROLE}, such as {@code CONNECTION LIMIT 3}
   */
  public void createRole(String name, String... options) {
    create(new PostgresClusterConfig.Role(Sql.requireName("role", name), null, List.of(options)));
  }

  /** Like {@link #createRole}, with a password that must be given (SCRAM). */
  public void createRoleWithPassword(String name, String password, String... options) {
    create(
        new PostgresClusterConfig.Role(Sql.requireName("role", name), password, List.of(options)));
  }

  private void create(PostgresClusterConfig.Role role) {
    primary().execute(createRoleSql(role));
    awaitStandbys();
    if (role.password() != null) {
      passwordRoles.add(role);
      String rules = accessRules();
      for (PostgresNode node : nodes) {
        if (Files.isDirectory(node.server().data())) {
          node.write(node.server().data().resolve("pg_hba.conf"), rules);
        }
        if (node.isRunning() && !node.isFrozen()) {
          node.execute("SELECT pg_reload_conf()");
        }
      }
    }
  }

  private static String createRoleSql(PostgresClusterConfig.Role role) {
    String password = role.password();
    return "CREATE ROLE "
        + Sql.name(role.name())
        + " LOGIN "
        + (password == null ? "" : "PASSWORD " + Sql.literal(password) + " ")
        + String.join(" ", role.options());
  }

  /**
   * Takes the right to ask for positions in the log from a role, in the cluster's database. Any
   * role has it as a member of {@code PUBLIC}, so it is taken from there and given to all other
   * roles that exist.
   */
  public void revokePositionFunctions(String role) {
    String name = Sql.literal(Sql.requireName("role", role));
    primary()
        .executeIn(
            database(),
            "REVOKE EXECUTE ON FUNCTION "
                + Sql.POSITION_FUNCTIONS
                + " FROM PUBLIC, "
                + Sql.name(role),
            "DO $$ DECLARE r text; BEGIN FOR r IN SELECT rolname FROM pg_roles"
                + " WHERE rolcanlogin AND rolname <> "
                + name
                + " LOOP EXECUTE format('GRANT EXECUTE ON FUNCTION "
                + Sql.POSITION_FUNCTIONS
                + " TO %I', r); END LOOP; END $$");
    awaitStandbys();
  }

  /** Gives {@link #revokePositionFunctions} back to a role. */
  public void grantPositionFunctions(String role) {
    primary()
        .executeIn(
            database(),
            "GRANT EXECUTE ON FUNCTION " + Sql.POSITION_FUNCTIONS + " TO " + Sql.name(role));
    awaitStandbys();
  }

  /** Waits until every standby that runs and follows has applied what the primary has written. */
  public void awaitCaughtUp() {
    for (PostgresNode node : replicas()) {
      if (node.isRunning() && !node.isFrozen()) {
        node.awaitCaughtUp();
      }
    }
  }

  private void awaitStandbys() {
    for (PostgresNode node : replicas()) {
      if (node.isRunning() && !node.isFrozen() && node.isApplying()) {
        node.awaitCaughtUp();
      }
    }
  }

  // ---- end -----------------------------------------------------------------------------------

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cluster is closed");
    }
  }

  /**
   * Ends all servers and proxies and removes the data. Idempotent. A failure to close one thing
   * does not keep the rest open.
   */
  @Override
  public void close() {
    roleChange.lock();
    try {
      closed = true;
      // All at once; each node then waits for its own server.
      Signals.send("QUIT", nodes.stream().map(PostgresNode::pid).filter(pid -> pid > 0).toList());
      RuntimeException failure = null;
      for (int i = opened.size() - 1; i >= 0; i--) {
        try {
          opened.get(i).close();
        } catch (Exception e) {
          PostgresClusterException wrapped =
              new PostgresClusterException("the cluster was not closed properly: " + e, e);
          if (failure == null) {
            failure = wrapped;
          } else {
            failure.addSuppressed(wrapped);
          }
        }
      }
      opened.clear();
      if (failure != null) {
        throw failure;
      }
    } finally {
      roleChange.unlock();
    }
  }

  @Override
  public String toString() {
    return "PostgresCluster[" + installation.version() + ", " + nodes + "]";
  }
}
