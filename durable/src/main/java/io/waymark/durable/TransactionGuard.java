package io.waymark.durable;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Says whether a store may still be used, from inside each of its transactions and before anything
 * else is done in them. What it reads must hold until the transaction ends, for example because it
 * locks the row that it looks at.
 *
 * @see DurableStoreBuilder#guard
 */
@FunctionalInterface
public interface TransactionGuard {
  /**
   * Looks. Called by any thread.
   *
   * @param connection in the transaction; only for statements
   * @return false if the store belongs to somebody else now: the transaction is rolled back with
   *     {@link StoreError#FENCED}
   * @throws SQLException if it cannot tell; the transaction is rolled back with {@link
   *     StoreError#FAILED}
   */
  boolean admits(Connection connection) throws SQLException;
}
