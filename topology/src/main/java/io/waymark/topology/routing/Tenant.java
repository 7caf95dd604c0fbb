package io.waymark.topology.routing;

/**
 * Says on whose behalf a push is made, for rules that give each tenant a shard. A rule reads it
 * with {@code context.get(Tenant.KEY)}.
 */
public final class Tenant {
  /** The tenant's name in a {@link RoutingContext}. */
  public static final ContextKey<String> KEY = ContextKey.of("tenant");

  private Tenant() {}

  /**
   * The transform that adds a tenant to each push, in place of one that the push names itself.
   *
   * @param name the tenant; not blank
   * @throws IllegalArgumentException if it is blank
   */
  public static <I, R> Transform<I, R> of(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a tenant needs a name");
    }
    return KEY.to(name);
  }
}
