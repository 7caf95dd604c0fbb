package io.waymark.postgres;

/**
 * One configured endpoint.
 *
 * @param name unique; {@code primary} for the primary, by default {@code replica-1} and so on for
 *     replicas, numbered by place
 * @param ordinal 0 for the primary, then the replicas in order
 * @param url a {@code jdbc:postgresql:} URL; may hold credentials and is never shown
 * @param weight positive and finite
 * @param max the most connections of the endpoint's pool, at least 1
 */
public record EndpointConfig(String name, int ordinal, String url, double weight, int max) {
  /** Name, weight and pool size; never the URL, which may hold credentials. */
  @Override
  public String toString() {
    return "EndpointConfig[name=" + name + ", weight=" + weight + ", max=" + max + "]";
  }
}
