package io.waymark.objects;

import io.waymark.durable.DurableStore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.Handle;

/** An object that counts in its store, and knows whether it is used as it may be. */
final class Counter implements AutoCloseable {
  /** Who is open now, over all objects of a name. */
  static final class Watch {
    final AtomicInteger made = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger faults = new AtomicInteger();
  }

  final ObjectContext context;
  private final DurableStore store;
  private final Watch watch;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile boolean closed;

  Counter(ObjectContext context, Watch watch) {
    this.context = context;
    this.store = context.store();
    this.watch = watch;
    store.inTransaction(
        tx ->
            tx.unwrap(Handle.class)
                .execute(
                    "CREATE TABLE IF NOT EXISTS "
                        + store.table("counter")
                        + " (one integer PRIMARY KEY, value integer NOT NULL)"));
    watch.made.incrementAndGet();
    if (watch.open.incrementAndGet() > 1) {
      watch.faults.incrementAndGet();
    }
  }

  static long add(NamedObjects<Counter> objects, String name) {
    return objects.call(name, counter -> counter.add());
  }

  static long value(NamedObjects<Counter> objects, String name) {
    return objects.call(name, counter -> counter.value());
  }

  /** Adds one, and says how often that was done in all. */
  long add() {
    calls.incrementAndGet();
    if (closed) {
      watch.faults.incrementAndGet();
    }
    long value = store.inTransaction(tx -> add(tx.unwrap(Handle.class)));
    if (closed) {
      watch.faults.incrementAndGet();
    }
    calls.decrementAndGet();
    return value;
  }

  long add(Handle handle) {
    return handle
        .createQuery(
            "INSERT INTO "
                + store.table("counter")
                + " (one, value) VALUES (1, 1) ON CONFLICT (one) DO UPDATE SET value ="
                + " counter.value + 1 RETURNING value")
        .mapTo(Long.class)
        .one();
  }

  long value() {
    AtomicLong value = new AtomicLong();
    store.inTransaction(
        tx -> {
          value.set(
              tx.unwrap(Handle.class)
                  .createQuery("SELECT coalesce(max(value), 0) FROM " + store.table("counter"))
                  .mapTo(Long.class)
                  .one());
          return value;
        });
    return value.get();
  }

  @Override
  public void close() {
    closed = true;
    if (calls.get() > 0) {
      watch.faults.incrementAndGet();
    }
    watch.open.decrementAndGet();
  }
}
