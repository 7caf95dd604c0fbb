package io.waymark.objects;

/**
 * Makes the object of a name when it is first used, and again after it was closed.
 *
 * @param <T> the objects; thread safe. One that is {@link AutoCloseable} is closed before its store
 */
@FunctionalInterface
public interface ObjectFactory<T> {
  /**
   * Makes one. Not called twice at once for a name.
   *
   * @throws Exception if it cannot; the store is closed, and the callers get {@link
   *     ObjectError#NOT_OPENED}
   */
  T open(ObjectContext context) throws Exception;
}
