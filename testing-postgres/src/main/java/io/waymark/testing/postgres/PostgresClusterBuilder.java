package io.waymark.testing.postgres;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link PostgresCluster}. Every option has a default: {@code
 * PostgresCluster.builder().start()} gives a primary and two replicas. Not thread safe.
 */
public final class PostgresClusterBuilder {

  /** Standbys refuse to start below what the template was initialised with. */
  private static final int MIN_CONNECTIONS = 100;

  private static final int MAX_REPLICAS = 9;

  private static final Set<String> OURS =
      Set.of(
          "port",
          "listen_addresses",
          "unix_socket_directories",
          "data_directory",
          "hba_file",
          "ident_file",
          "external_pid_file",
          "primary_conninfo",
          "synchronous_standby_names",
          "logging_collector");

  private int version;
  private @Nullable Path installation;
  private int replicas = 2;
  private String database = PostgresCluster.SUPERUSER;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<PostgresClusterConfig.Role> roles = new ArrayList<>();
  private int synchronousReplicas;
  private boolean proxied = true;
  private Duration timeout = Duration.ofSeconds(30);
  private @Nullable Path folder;

  PostgresClusterBuilder() {}

  /**
   * The major version. Default: the one whose binaries are on the class path, 18 unless the build
   * chose another.
   *
   * @param major 15 to 18
   * @throws IllegalArgumentException if the version is not supported
   */
  public PostgresClusterBuilder version(int major) {
    if (!Binaries.KNOWN.containsKey(major)) {
      throw new IllegalArgumentException("version must be 15, 16, 17 or 18, was " + major);
    }
    this.version = major;
    return this;
  }

  /**
   * Uses an installed server instead of the bundled binaries.
   *
   * @param folder the installation's {@code bin} folder, or the folder above it
   */
  public PostgresClusterBuilder installation(Path folder) {
    this.installation = Objects.requireNonNull(folder, "folder").toAbsolutePath();
    return this;
  }

  /**
   * The number of streaming replicas, named {@code replica-1} and so on. Default 2.
   *
   * @throws IllegalArgumentException if the number is not 0 to 9
   */
  public PostgresClusterBuilder replicas(int count) {
    if (count < 0 || count > MAX_REPLICAS) {
      throw new IllegalArgumentException(
          "replicas must be 0 to " + MAX_REPLICAS + ", was " + count);
    }
    this.replicas = count;
    return this;
  }

  /** The database that URLs name; it is created. Default {@code postgres}, which exists. */
  public PostgresClusterBuilder database(String name) {
    this.database = Sql.requireName("database", name);
    return this;
  }

  /**
   * A line of {@code postgresql.conf} on all nodes. Defaults that differ from the server's: {@code
   * fsync} off, {@code shared_buffers} 16MB, {@code wal_keep_size} 128MB, {@code timezone} UTC,
   * {@code wal_retrieve_retry_interval} 100ms.
   *
   * @throws IllegalArgumentException if the cluster sets it itself, or if {@code max_connections}
   *     is below 100
   */
  public PostgresClusterBuilder setting(String name, String value) {
    Sql.requireSetting(name);
    Objects.requireNonNull(value, "value");
    String key = name.toLowerCase(Locale.ROOT);
    if (OURS.contains(key)) {
      throw new IllegalArgumentException("setting " + name + " is the cluster's own business");
    }
    if (key.equals("max_connections") && Sql.number(value) < MIN_CONNECTIONS) {
      throw new IllegalArgumentException(
          "max_connections must be at least " + MIN_CONNECTIONS + ", was " + value);
    }
    settings.put(key, value);
    return this;
  }

  /** Sets {@code wal_level} to {@code logical}, for logical decoding. Default {@code replica}. */
  public PostgresClusterBuilder logicalReplication() {
    return setting("wal_level", "logical");
  }

  /**
   * A role with login that must give a password (SCRAM); the superuser needs none.
   *
   * @param options further words of {@code CREATE ROLE}, such as {@code REPLICATION}
   */
  public PostgresClusterBuilder role(String name, String password, String... options) {
    roles.add(
        new PostgresClusterConfig.Role(
            Sql.requireName("role", name),
            Objects.requireNonNull(password, "password"),
            List.of(options)));
    return this;
  }

  /**
   * Makes commits wait until this many of the replicas have flushed them ({@code ANY n} of all
   * replicas). Default 0: nobody waits.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public PostgresClusterBuilder synchronousReplicas(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("synchronousReplicas must be at least 0, was " + count);
    }
    this.synchronousReplicas = count;
    return this;
  }

  /**
   * Whether a proxy stands in front of each node, for {@link PostgresNode#proxyUrl()} and the
   * counters. Default true; a proxy that nobody connects to costs one thread. Replication never
   * goes through it.
   */
  public PostgresClusterBuilder proxied(boolean proxied) {
    this.proxied = proxied;
    return this;
  }

  /**
   * How long one step, such as a start, a promotion or catching up, may take before it counts as
   * failed. Default 30 s.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public PostgresClusterBuilder timeout(Duration timeout) {
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must be positive, was " + timeout);
    }
    this.timeout = timeout;
    return this;
  }

  /**
   * Where the cluster makes its data folder. Default: {@code /dev/shm} if it has room (256 MB per
   * node), else {@code java.io.tmpdir}; the system property {@code waymark.postgres.folder} names
   * another place for all clusters.
   */
  public PostgresClusterBuilder folder(Path folder) {
    this.folder = Objects.requireNonNull(folder, "folder").toAbsolutePath();
    return this;
  }

  PostgresClusterConfig config() {
    if (synchronousReplicas > replicas) {
      throw new IllegalArgumentException(
          "synchronousReplicas is "
              + synchronousReplicas
              + ", but there are only "
              + replicas
              + " replicas");
    }
    return new PostgresClusterConfig(
        version,
        installation,
        replicas,
        database,
        settings,
        roles,
        synchronousReplicas,
        proxied,
        timeout,
        folder);
  }

  /**
   * Starts the cluster and waits until all replicas stream and have what the primary has.
   *
   * @throws IllegalArgumentException if options contradict each other
   * @throws PostgresClusterException if it cannot be started; nothing is left behind then
   */
  public PostgresCluster start() {
    return PostgresCluster.start(config());
  }
}
