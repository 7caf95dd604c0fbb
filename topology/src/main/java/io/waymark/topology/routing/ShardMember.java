package io.waymark.topology.routing;

/**
 * A member that a {@link ShardPicker} picks among.
 *
 * @param name unique among the members
 * @param weight its share relative to the others; positive and finite
 */
public record ShardMember(String name, double weight) {
  /**
   * @throws RoutingException WM2301 if no shard can have that name
   * @throws IllegalArgumentException if the weight is not positive and finite
   */
  public ShardMember {
    Shard.named(name);
    if (!(weight > 0 && weight <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "the weight of " + name + " must be positive and finite, was " + weight);
    }
  }

  /** A member of weight 1. */
  public static ShardMember of(String name) {
    return new ShardMember(name, 1);
  }
}
