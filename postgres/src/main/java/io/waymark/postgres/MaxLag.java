package io.waymark.postgres;

import java.time.Duration;

/** How far behind the primary a replica may be and still serve. */
public sealed interface MaxLag {
  /**
   * By replay time: how long ago the last replayed transaction committed, by the replica's own
   * clock; 0 when it is caught up.
   *
   * @param ceiling not negative; zero means that only a caught-up replica may serve
   */
  record Time(Duration ceiling) implements MaxLag {}

  /**
   * By log written on the primary and not yet replayed.
   *
   * @param ceiling bytes, not negative; zero means that only a caught-up replica may serve
   */
  record Bytes(long ceiling) implements MaxLag {}
}
