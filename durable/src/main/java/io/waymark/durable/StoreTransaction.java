package io.waymark.durable;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * A running transaction of a {@link DurableStore}. Belongs to the thread that runs it, and ends
 * with the body that was given to {@link DurableStore#inTransaction}.
 */
public final class StoreTransaction {
  private final DurableStore store;
  private final Handle handle;
  private final List<Runnable> afterCommit = new ArrayList<>();
  private boolean ended;

  StoreTransaction(DurableStore store, Handle handle) {
    this.store = store;
    this.handle = handle;
  }

  /**
   * The connection that the transaction runs on. Whoever uses it neither commits, rolls back nor
   * closes it.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  public Connection connection() {
    return handle().getConnection();
  }

  /**
   * The transaction as a type of the library under it.
   *
   * @param type {@code java.sql.Connection}, or {@code org.jdbi.v3.core.Handle}
   * @throws IllegalArgumentException for any other type
   * @throws IllegalStateException if the transaction has ended
   */
  public <T> T unwrap(Class<T> type) {
    Handle open = handle();
    if (type.isInstance(open)) {
      return type.cast(open);
    }
    if (type == Connection.class) {
      return type.cast(open.getConnection());
    }
    throw new IllegalArgumentException(
        "a transaction is a java.sql.Connection or an org.jdbi.v3.core.Handle, no "
            + type.getName());
  }

  /**
   * What time it is for the store, in microseconds since 1970: the same clock for all processes
   * that share it. On PostgreSQL this is when the transaction began.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  public long now() {
    return handle()
        .createQuery("SELECT " + store.clock().sql())
        .bind("now", store.clock().micros().getAsLong())
        .mapTo(Long.class)
        .one();
  }

  /**
   * Runs after the commit, in the order of the calls, on this thread, with no transaction and no
   * lock held. Does not run when the transaction is rolled back, or when nobody knows whether it
   * was committed. What it throws is logged and ignored.
   */
  public void afterCommit(Runnable action) {
    handle();
    afterCommit.add(action);
  }

  DurableStore store() {
    return store;
  }

  Handle handle() {
    if (ended) {
      throw new IllegalStateException("the transaction has ended");
    }
    return handle;
  }

  List<Runnable> end() {
    ended = true;
    return afterCommit;
  }
}
