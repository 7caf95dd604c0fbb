package io.waymark.durable;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after a failed attempt: the first wait, doubled with each further failure up to
 * the longest, of which a random part between half and all is taken, so that keys that failed
 * together do not come back together. Immutable.
 *
 * @param first after the first failure
 * @param longest the wait that is not exceeded
 */
public record Backoff(Duration first, Duration longest) {
  private static final Duration LIMIT = Duration.ofDays(1);

  /** One second to five minutes. */
  public static final Backoff DEFAULT = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

  /**
   * Checks.
   *
   * @throws IllegalArgumentException unless the first wait is at least a millisecond, the longest
   *     not shorter than it, and not longer than a day
   */
  public Backoff {
    if (first.compareTo(Duration.ofMillis(1)) < 0
        || longest.compareTo(first) < 0
        || longest.compareTo(LIMIT) > 0) {
      throw new IllegalArgumentException(
          "backoff from "
              + first
              + " to "
              + longest
              + ": the first wait must be at least 1 ms, the longest not shorter and at most a day");
    }
  }

  /**
   * The wait after so many failures in a row.
   *
   * @param failures at least 1
   */
  Duration delay(int failures, RandomGenerator random) {
    long most = longest.toNanos();
    long full = first.toNanos();
    for (int i = 1; i < failures && full < most; i++) {
      full = Math.min(most, full * 2); // a day of nanoseconds doubled fits into a long
    }
    return Duration.ofNanos(full / 2 + (long) (random.nextDouble() * (full - full / 2)));
  }
}
