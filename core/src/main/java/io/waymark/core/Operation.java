package io.waymark.core;

import java.util.Locale;

/** What a call is about to do, as far as routing cares. */
public enum Operation {
  /** Reads, and was declared to only read. */
  READ,
  /** Writes, or was not declared to only read: one statement on its own. */
  WRITE,
  /** A transaction that was not declared to only read. */
  TX,
  /** Takes a lock that only the primary can give. */
  LOCK;

  private final String text = name().toLowerCase(Locale.ROOT);

  /**
   * The word in events, metrics and messages: {@code read}, {@code write}, {@code tx} or {@code
   * lock}.
   */
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }
}
