package io.waymark.coordinator;

import io.waymark.core.Backoff;
import java.time.Duration;

/** Waits for tests. */
final class Fast {
  static final Backoff BACKOFF = new Backoff(Duration.ofMillis(20), Duration.ofMillis(100));

  private Fast() {}
}
