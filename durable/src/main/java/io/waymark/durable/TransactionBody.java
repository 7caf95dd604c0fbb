package io.waymark.durable;

/**
 * What runs inside a transaction of the store.
 *
 * @param <R> the type of the result
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface TransactionBody<R, X extends Exception> {
  /**
   * Runs once. Whatever it throws rolls the transaction back and reaches the caller.
   *
   * @param tx the transaction; not to be used afterwards or from another thread
   */
  R run(StoreTransaction tx) throws X;
}
