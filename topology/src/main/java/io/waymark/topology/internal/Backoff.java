package io.waymark.topology.internal;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The waits between attempts to have a push again: 100 ms at first, up to 5 s. It never gives up.
 * Not thread safe.
 */
public final class Backoff {
  private static final io.waymark.core.Backoff WAITS =
      new io.waymark.core.Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  private int failures;

  /** The next wait. */
  public Duration next() {
    failures = Math.min(failures, Integer.MAX_VALUE - 1) + 1;
    return WAITS.delay(failures, ThreadLocalRandom.current());
  }

  /** After a success: the next wait is the first again. */
  public void reset() {
    failures = 0;
  }
}
