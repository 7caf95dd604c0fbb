package io.waymark.topology.internal;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Delays between attempts to have a push again: 100 ms at first, doubled up to 5 s, each spread by
 * ±20 % so that readers do not come back together. It never gives up. Not thread safe.
 */
public final class Backoff {
  private static final long SHORTEST = 100;
  private static final long LONGEST = 5_000;

  private long next = SHORTEST;

  /** The next delay. */
  public Duration next() {
    long delay = next;
    next = Math.min(LONGEST, 2 * next);
    return Duration.ofMillis((long) (delay * ThreadLocalRandom.current().nextDouble(0.8, 1.2)));
  }

  /** After a success: the next delay is the first again. */
  public void reset() {
    next = SHORTEST;
  }
}
