package io.waymark.cli.simulation;

import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * Time that passes only from one thing that is due to the next. It is what the product's ticker
 * reads, in nanoseconds; scenarios count in units, the mean time that a member works on one call.
 * Things that are due at once happen in the order in which they were planned.
 */
final class VirtualTime implements LongSupplier {
  /** A unit is 10 ms of the product's time, so that its constants have a size to be compared to. */
  static final long UNIT = 10_000_000;

  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private long now;
  private long planned;

  VirtualTime() {}

  /** Units as nanoseconds. */
  static long nanos(double units) {
    return Math.round(units * UNIT);
  }

  /** Nanoseconds as units. */
  static double units(long nanos) {
    return (double) nanos / UNIT;
  }

  /** Now, in nanoseconds. */
  @Override
  public long getAsLong() {
    return now;
  }

  /** Now, in units. */
  double now() {
    return units(now);
  }

  /** Plans something, so many nanoseconds from now. */
  void after(long nanos, Runnable action) {
    due.add(new Due(now + Math.max(0, nanos), planned++, action));
  }

  /** Plans something once in every so many units, the first time now. */
  void every(double units, Runnable action) {
    after(0, () -> again(nanos(units), action));
  }

  private void again(long nanos, Runnable action) {
    action.run();
    after(nanos, () -> again(nanos, action));
  }

  /** Lets so many units pass. */
  void pass(double units) {
    long end = now + nanos(units);
    for (Due next = due.peek(); next != null && next.at <= end; next = due.peek()) {
      due.remove();
      now = next.at;
      next.action.run();
    }
    now = end;
  }

  private record Due(long at, long order, Runnable action) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }
}
