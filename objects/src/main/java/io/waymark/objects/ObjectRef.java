package io.waymark.objects;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A name to be called, such as a router's stub of a shard. It holds nothing open, so it can be kept
 * for as long as its {@link NamedObjects}. Thread safe.
 *
 * @param <T> the objects
 */
public final class ObjectRef<T> {
  private final NamedObjects<T> objects;
  private final String name;
  private final @Nullable String hint;

  ObjectRef(NamedObjects<T> objects, String name, @Nullable String hint) {
    this.objects = objects;
    this.name = name;
    this.hint = hint;
  }

  /** The name. */
  public String name() {
    return name;
  }

  /**
   * As {@link NamedObjects#call}.
   *
   * @return what the call returned
   * @throws X what the call threw
   * @throws ObjectException if the object cannot be opened; then nothing was called
   */
  public <R, X extends Exception> R call(ObjectCall<? super T, R, X> call) throws X {
    return objects.call(name, hint, call);
  }

  /** Whether it is the same name of the same objects. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ObjectRef<?> ref && ref.objects == objects && ref.name.equals(name);
  }

  @Override
  public int hashCode() {
    return Objects.hash(System.identityHashCode(objects), name);
  }

  @Override
  public String toString() {
    return "ObjectRef[" + name + "]";
  }
}
