package io.waymark.postgres;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
 * @param onRoute called after an endpoint was chosen; what it throws is ignored
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
    Consumer<RouteEvent> onRoute,
    LongSupplier ticker,
    RandomGenerator random) {
  /** The names and numbers; no URL, no credentials. */
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
        + "]";
  }
}
