package io.waymark.topology.routing;

/**
 * Names a value of a {@link RoutingContext} and says its type. Two keys are the same only if they
 * are one object: keep each in a constant.
 *
 * @param <T> the value's type
 */
public final class ContextKey<T> {
  private final String name;

  private ContextKey(String name) {
    this.name = name;
  }

  /**
   * A new key.
   *
   * @param name for people; not blank
   * @throws IllegalArgumentException if it is blank
   */
  public static <T> ContextKey<T> of(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a context key needs a name");
    }
    return new ContextKey<>(name);
  }

  /** What the key is called. */
  public String name() {
    return name;
  }

  /**
   * The transform that adds this value to the context of each push, in place of what the push and
   * the transforms before it say.
   */
  public <I, R> Transform<I, R> to(T value) {
    RoutingContext addition = RoutingContext.of(this, value);
    return session -> session.next(addition);
  }

  @Override
  public String toString() {
    return name;
  }
}
