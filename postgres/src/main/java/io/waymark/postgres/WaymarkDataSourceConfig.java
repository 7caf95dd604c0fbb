package io.waymark.postgres;

import com.zaxxer.hikari.HikariConfig;
import io.waymark.core.Meters;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/**
 * Everything a {@link WaymarkDataSource} was built with: validated, immutable.
 *
 * @param primary the primary
 * @param replicas the replicas, in order; may be empty
 * @param single whether this is a lone endpoint that serves both routes
 * @param existing the caller's own data source as the lone endpoint; then nothing else of the
 *     endpoint is configured and close leaves it open
 * @param user the login role; empty where the URLs name it
 * @param password asked at every new connection, so that it may rotate; empty for none
 * @param acquireTimeout how long a call waits for a connection of the chosen endpoint
 * @param connectTimeout how long opening one connection may take
 * @param routing how reads are routed
 * @param properties the driver's properties, for every connection
 * @param pooler what stands between here and the servers
 * @param pool called for each pool after Waymark's own settings
 * @param onRoute called after an endpoint was chosen; what it throws is ignored
 * @param onChange called when what is believed or asked of an endpoint changed; what it throws is
 *     ignored
 * @param meters where calls are counted and timed
 * @param ticker monotonic nanoseconds
 * @param random spreads probes and delays
 */
public record WaymarkDataSourceConfig(
    EndpointConfig primary,
    List<EndpointConfig> replicas,
    boolean single,
    Optional<DataSource> existing,
    Optional<String> user,
    Optional<Supplier<String>> password,
    Duration acquireTimeout,
    Duration connectTimeout,
    RoutingConfig routing,
    Map<String, String> properties,
    Pooler pooler,
    Consumer<HikariConfig> pool,
    Consumer<RouteEvent> onRoute,
    Consumer<EndpointEvent> onChange,
    Meters meters,
    LongSupplier ticker,
    RandomGenerator random) {
  private static final Duration SHORTEST_ACQUIRE = Duration.ofMillis(250);

  /**
   * Checks what concerns several values at once, and each that is not checked elsewhere.
   *
   * @throws OptionException if something cannot be used
   */
  public WaymarkDataSourceConfig {
    replicas = List.copyOf(replicas);
    properties = Map.copyOf(properties);
    checkUrls(primary, replicas, existing.isPresent());
    if (!replicas.isEmpty() && (single || existing.isPresent())) {
      throw new OptionException("a lone endpoint serves both routes and takes no replicas");
    }
    checkNames(primary, replicas);
    checkWeights(replicas.stream().map(EndpointConfig::weight).toList());
    user.ifPresent(name -> OptionValue.name(PostgresOption.USER, name));
    checkAcquireTimeout(acquireTimeout);
    OptionValue.waitTime(PostgresOption.CONNECT_TIMEOUT, connectTimeout);
  }

  /** The pool cannot wait for less than 250 milliseconds. */
  static Duration checkAcquireTimeout(Duration timeout) {
    OptionValue.waitTime(PostgresOption.ACQUIRE_TIMEOUT, timeout);
    if (timeout.compareTo(SHORTEST_ACQUIRE) < 0) {
      throw OptionException.refused(
          PostgresOption.ACQUIRE_TIMEOUT, OptionText.format(timeout), "it is too short");
    }
    return timeout;
  }

  private static void checkUrls(
      EndpointConfig primary, List<EndpointConfig> replicas, boolean existing) {
    if (primary.url().isEmpty() && !existing) {
      throw OptionException.missing(PostgresOption.PRIMARY);
    }
    for (int i = 0; i < replicas.size(); i++) {
      if (replicas.get(i).url().isEmpty()) {
        throw OptionException.missing(PostgresOption.REPLICA_URL.at(i));
      }
    }
  }

  private static void checkNames(EndpointConfig primary, List<EndpointConfig> replicas) {
    Map<String, String> owners = new HashMap<>();
    owners.put(primary.name(), PostgresOption.PRIMARY.path());
    for (int i = 0; i < replicas.size(); i++) {
      String name = replicas.get(i).name();
      String owner = owners.putIfAbsent(name, "replicas[" + i + "]");
      if (owner != null) {
        throw OptionException.refused(
            PostgresOption.REPLICA_NAME.at(i), name, "it is the name of " + owner);
      }
    }
  }

  /** A selector adds up the weights that take part: their total must be finite too. */
  static void checkWeights(List<Double> weights) {
    double total = 0;
    for (int i = 0; i < weights.size(); i++) {
      total += weights.get(i);
      if (Double.isInfinite(total)) {
        throw OptionException.refused(
            PostgresOption.REPLICA_WEIGHT.at(i),
            weights.get(i),
            "the total of the weights is not finite");
      }
    }
  }

  /** Whether a transaction may run in any session of the server. */
  boolean sharesSessions() {
    return pooler == Pooler.TRANSACTION;
  }

  /** The names and numbers; no URL, no credentials, no value of a driver's property. */
  @Override
  public String toString() {
    return "WaymarkDataSourceConfig[primary="
        + primary
        + ", replicas="
        + replicas
        + ", acquireTimeout="
        + acquireTimeout
        + ", connectTimeout="
        + connectTimeout
        + ", routing="
        + routing
        + ", properties="
        + new TreeSet<>(properties.keySet())
        + ", pooler="
        + pooler
        + "]";
  }
}
