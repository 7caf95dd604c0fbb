package io.waymark.durable;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Looks after a fan-out: says what work waits for targets that are not configured here, and keeps
 * the backlog counted in few rows.
 */
final class FanoutKeeper implements Scheduler.Work {
  private static final long REPORT = TimeUnit.MINUTES.toNanos(1);
  private static final long FOLD = TimeUnit.SECONDS.toNanos(1);

  /** Summing up so many rows takes no time that anybody would notice. */
  private static final int PARTS = 64;

  private final DurableStore store;
  private final FanoutTable table;
  private final long fanout;
  private final Set<String> configured;
  private final FanoutObserver observer;
  private long nextReport;
  private long nextFold;

  FanoutKeeper(
      DurableStore store,
      FanoutTable table,
      long fanout,
      Set<String> configured,
      FanoutObserver observer) {
    this.store = store;
    this.table = table;
    this.fanout = fanout;
    this.configured = Set.copyOf(configured);
    this.observer = observer;
    this.nextReport = store.ticker().getAsLong();
    this.nextFold = nextReport;
  }

  @Override
  public long start() {
    long now = store.ticker().getAsLong();
    if (now - nextReport >= 0) {
      nextReport = now + REPORT; // also if it fails now
      report();
    }
    if (store.dialect() == Dialect.POSTGRES && now - nextFold >= 0) {
      nextFold = now + FOLD;
      fold();
    }
    return nextReport - now; // what is counted meanwhile is folded at the next poll
  }

  private void report() {
    table
        .backlogByTarget(fanout)
        .forEach(
            (target, pending) -> {
              if (pending > 0 && !configured.contains(target)) {
                observer.missing(target, pending);
              }
            });
  }

  private void fold() {
    if (table.backlog(fanout).parts() > PARTS) {
      Map<String, Long> targets = table.targets(fanout, Set.of());
      targets.values().forEach(table::fold);
    }
  }

  @Override
  public void close() {
    // Nothing of it outlives a pass.
  }
}
