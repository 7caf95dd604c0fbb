package io.waymark.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A monotonic clock that moves only when a test moves it. It counts nanoseconds, as {@link
 * System#nanoTime()} does, and takes its place wherever a {@link LongSupplier} of nanoseconds is
 * injected.
 *
 * <p>Thread safe: a value set by one thread is seen by all.
 */
public final class SettableTicker implements LongSupplier {

  private final AtomicLong nanos;

  /** A ticker that stands at 0 ns. */
  public SettableTicker() {
    this(0);
  }

  /**
   * A ticker that stands at the given time. A start near {@link Long#MAX_VALUE} shows whether the
   * code under test compares by difference, as {@code nanoTime} demands.
   *
   * @param startNanos the first reading, in nanoseconds; may be negative
   */
  public SettableTicker(long startNanos) {
    this.nanos = new AtomicLong(startNanos);
  }

  /** The present reading in nanoseconds. */
  @Override
  public long getAsLong() {
    return nanos.get();
  }

  /**
   * Moves the clock forward.
   *
   * @param step how far; zero is allowed
   * @return the new reading in nanoseconds; it wraps around like {@code nanoTime}
   * @throws IllegalArgumentException if the step is negative: a monotonic clock never goes back
   */
  public long advance(Duration step) {
    if (step.isNegative()) {
      throw new IllegalArgumentException("step must not be negative, was " + step);
    }
    return nanos.addAndGet(step.toNanos());
  }

  /**
   * Sets the clock, backwards too: for tests of what must not happen.
   *
   * @param nanos the new reading in nanoseconds
   */
  public void set(long nanos) {
    this.nanos.set(nanos);
  }

  @Override
  public String toString() {
    return "SettableTicker[" + nanos + " ns]";
  }
}
