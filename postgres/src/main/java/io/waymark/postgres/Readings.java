package io.waymark.postgres;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the readings of all monitors of one data source in the order in which they start, so that
 * "started later than" is a comparison of numbers and needs no clock. Thread safe.
 */
final class Readings {
  private final AtomicLong started = new AtomicLong();

  /** A reading starts now. */
  long start() {
    return started.incrementAndGet();
  }

  /** The last reading that has started: every reading with a larger number starts later. */
  long last() {
    return started.get();
  }
}
