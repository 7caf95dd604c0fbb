package io.waymark.durable;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the outbox's table in order: forgets keys that were settled long ago, and makes due what a
 * clock that was set back would leave for long.
 */
final class OutboxSweep implements Scheduler.Work {
  private static final int BATCH = 500;
  private static final long SOON = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long INTERVAL = TimeUnit.MINUTES.toNanos(1);

  /** Clocks of one database that differ by less are taken for the same. */
  static final Duration SLACK = Duration.ofSeconds(10);

  private final DurableStore store;
  private final OutboxTable table;
  private final VersionHorizon horizon;
  private final Duration keep;
  private long next;

  OutboxSweep(DurableStore store, OutboxTable table, Duration keep) {
    this.store = store;
    this.table = table;
    this.horizon = new VersionHorizon(table, store.dialect());
    this.keep = keep;
    this.next = store.ticker().getAsLong();
  }

  @Override
  public long start() {
    long left = next - store.ticker().getAsLong();
    if (left > 0) {
      return left;
    }
    next = store.ticker().getAsLong() + INTERVAL; // also if it fails now
    if (table.sweep(keep, horizon.look(), BATCH) == BATCH) {
      next = store.ticker().getAsLong() + SOON;
      return SOON;
    }
    // A process's own clock does not go back while the store is open.
    if (store.dialect() == Dialect.POSTGRES && table.repair(SLACK) > 0) {
      store.scheduler().within(0);
    }
    return INTERVAL;
  }

  @Override
  public void close() {
    // Nothing of it outlives a pass.
  }
}
