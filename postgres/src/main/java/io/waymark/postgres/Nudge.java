package io.waymark.postgres;

/**
 * Whether the primary is made to flush its log when a session's read would otherwise wait for log
 * that other sessions have written and not committed.
 */
public enum Nudge {
  /**
   * An empty transactional message is committed on the monitor's connection, at most once per probe
   * interval, and only after a read has met such log.
   */
  ON,
  /** Nothing is ever written. */
  OFF
}
