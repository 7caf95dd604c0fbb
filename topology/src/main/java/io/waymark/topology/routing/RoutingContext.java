package io.waymark.topology.routing;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a caller says besides the input of a push: for rules that choose a shard, and for
 * transforms. It stays in the caller's process and is sent to nobody, so values can be anything.
 *
 * <p>It is a hint, never a proof: whoever pushes can say what they like.
 *
 * <p>Immutable, as far as its values are. Two are equal if they have equal values for the same
 * keys.
 */
public final class RoutingContext {
  /** Nothing. */
  public static final RoutingContext EMPTY = new RoutingContext(Map.of());

  private final Map<ContextKey<?>, Object> values;

  private RoutingContext(Map<ContextKey<?>, Object> values) {
    this.values = values;
  }

  /** One value. */
  public static <T> RoutingContext of(ContextKey<T> key, T value) {
    return new RoutingContext(Map.of(key, value));
  }

  /** The same with this value, in place of what the key had. */
  public <T> RoutingContext with(ContextKey<T> key, T value) {
    return merged(of(key, value));
  }

  /** All values of both; where both have a key, the other's value, as it is. */
  public RoutingContext merged(RoutingContext other) {
    if (other.isEmpty()) {
      return this;
    }
    Map<ContextKey<?>, Object> both = new HashMap<>(values);
    both.putAll(other.values);
    return new RoutingContext(both);
  }

  /** The value of a key, if it has one. */
  @SuppressWarnings("unchecked") // with a key comes nothing but a value of its type
  public <T> Optional<T> get(ContextKey<T> key) {
    return Optional.ofNullable((T) values.get(key));
  }

  /** Whether there is no value. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RoutingContext context && context.values.equals(values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(values);
  }

  /** The names of the keys; values may be secret. */
  @Override
  public String toString() {
    return values.keySet().stream()
        .map(ContextKey::name)
        .sorted()
        .collect(Collectors.joining(", ", "RoutingContext[", "]"));
  }
}
