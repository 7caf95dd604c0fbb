package io.waymark.objects;

/**
 * What is done with an object while it is surely open.
 *
 * @param <T> the object
 * @param <R> what comes of it
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface ObjectCall<T, R, X extends Exception> {
  /**
   * Called once, on the caller's thread, with no lock held.
   *
   * @param object must not be kept beyond the call
   */
  R with(T object) throws X;
}
