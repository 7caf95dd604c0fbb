package io.waymark.testing.postgres;

import java.time.Duration;
import java.util.function.Supplier;

/** Waits for what another process does, by looking again and again. */
final class Wait {

  private static final long STEP_MILLIS = 3;

  /** What is looked at; may ask a server. */
  @FunctionalInterface
  interface Condition {
    boolean holds();
  }

  private Wait() {}

  /**
   * Waits until the condition holds.
   *
   * @param failure gives the exception for when time runs out
   */
  static void until(
      Duration timeout, Condition condition, Supplier<PostgresClusterException> failure) {
    if (!reached(timeout, condition)) {
      throw failure.get();
    }
  }

  /** Waits until the condition holds, and says whether it came to that. */
  static boolean reached(Duration timeout, Condition condition) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      pause();
    }
    return true;
  }

  private static void pause() {
    try {
      Thread.sleep(STEP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PostgresClusterException("interrupted while waiting for a server", e);
    }
  }
}
