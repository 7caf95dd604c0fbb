package io.waymark.durable;

import java.util.Collections;
import java.util.Set;

/**
 * The version below which nobody is staging any more. Whoever stages a key that has no row draws a
 * version first and inserts it a moment later; while it is held up in between, others may stage,
 * deliver and settle a newer version of the key. The row of that newer version tells the late one
 * that it must draw again, so the row must stay for as long.
 *
 * <p>Staging leaves a trace before it draws, at no cost of its own: the lock that every statement
 * which writes to a table holds until its transaction ends. So a version is drawn here, and then
 * all transactions that hold that lock are noted; when these have ended, all versions below it have
 * arrived or never will. One long transaction that has staged something holds the horizon up, and
 * with it nothing but the removal of settled rows.
 *
 * <p>On SQLite one transaction writes at a time, and the horizon is everything. Not thread safe.
 */
final class VersionHorizon {
  private record Mark(long version, Set<String> writers) {}

  private final OutboxTable table;
  private final boolean shared;
  private Mark mark = new Mark(Long.MIN_VALUE, Set.of());
  private long passed = Long.MIN_VALUE;

  VersionHorizon(OutboxTable table, Dialect dialect) {
    this.table = table;
    this.shared = dialect == Dialect.POSTGRES;
  }

  /** Looks again: all versions below what is returned have arrived or never will. */
  long look() {
    if (!shared) {
      return Long.MAX_VALUE;
    }
    long version = table.drawVersion();
    Set<String> writers = table.writers(); // after the version: who is not here yet draws later
    if (Collections.disjoint(writers, mark.writers())) {
      passed = mark.version();
      mark = new Mark(version, writers);
    }
    return passed;
  }
}
