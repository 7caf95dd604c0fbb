package io.waymark.postgres;

import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.OptionValue;
import org.jspecify.annotations.Nullable;

/**
 * One configured endpoint.
 *
 * @param name unique; {@code primary} for the primary, by default {@code replica-1} and so on for
 *     replicas, numbered by place
 * @param ordinal 0 for the primary, then the replicas in order
 * @param url a {@code jdbc:postgresql:} URL with one host; may hold credentials and is never shown;
 *     empty only for the caller's own data source
 * @param weight positive and finite
 * @param max the most connections of the endpoint's pool, at least 1
 * @param zone where a replica runs; null where that is not known
 */
public record EndpointConfig(
    String name, int ordinal, String url, double weight, int max, @Nullable String zone) {
  /** The primary's name, which no replica may have. */
  public static final String PRIMARY = "primary";

  /**
   * Checks each value.
   *
   * @throws OptionException if one cannot be used; the path holds the replica's index
   */
  public EndpointConfig {
    OptionValue.name(option(ordinal, PostgresOption.REPLICA_NAME), name);
    OptionValue.positive(option(ordinal, PostgresOption.REPLICA_WEIGHT), weight);
    OptionValue.positive(
        ordinal == 0 ? PostgresOption.MAX : option(ordinal, PostgresOption.REPLICA_POOL_MAX), max);
    if (zone != null) {
      OptionValue.name(option(ordinal, PostgresOption.REPLICA_ZONE), zone);
    }
    if (!url.isEmpty()) {
      EndpointUrl.parse(option(ordinal, PostgresOption.REPLICA_URL), url);
    }
  }

  /** Where it leads, as {@code host:port/database}, without credentials; empty without a URL. */
  public String address() {
    return url.isEmpty()
        ? ""
        : EndpointUrl.parse(option(ordinal, PostgresOption.REPLICA_URL), url).toString();
  }

  /** The option as messages about this endpoint name it. */
  static Option option(int ordinal, PostgresOption ofReplica) {
    return ordinal == 0 ? PostgresOption.PRIMARY : ofReplica.at(ordinal - 1);
  }

  /** Name, address, weight, pool size and zone; never the URL, which may hold credentials. */
  @Override
  public String toString() {
    return "EndpointConfig[name="
        + name
        + ", address="
        + address()
        + ", weight="
        + weight
        + ", max="
        + max
        + (zone == null ? "" : ", zone=" + zone)
        + "]";
  }
}
