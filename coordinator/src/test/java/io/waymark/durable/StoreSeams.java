package io.waymark.durable;

import java.sql.Connection;
import java.util.function.UnaryOperator;

/** What the store's own tests can do and others cannot. */
public final class StoreSeams {
  private StoreSeams() {}

  /** What is done with the SQLite connection goes through this. */
  public static DurableStoreBuilder watched(
      DurableStoreBuilder builder, UnaryOperator<Connection> watched) {
    return builder.watched(watched);
  }

  /** After a test has changed rows past the store. */
  public static void wake(DurableStore store) {
    store.scheduler().within(0);
  }

  /** After a test has moved the ticker. */
  public static void look(Outbox outbox) {
    outbox.look();
  }
}
