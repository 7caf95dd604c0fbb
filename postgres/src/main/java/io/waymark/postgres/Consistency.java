package io.waymark.postgres;

/** What a read may miss. */
public enum Consistency {
  /**
   * A read sees every write that its session committed before: a replica serves it only when its
   * replay position has reached the session's watermark.
   */
  SESSION,
  /** A read may miss any recent write; {@code maxLag} still applies. */
  EVENTUAL
}
