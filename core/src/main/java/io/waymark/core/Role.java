package io.waymark.core;

import java.util.Locale;

/** The part that a member plays among members that hold the same data. */
public enum Role {
  /** Takes writes. */
  PRIMARY,
  /** Follows the primary and serves reads. */
  REPLICA;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** The word in options, events and messages: {@code primary} or {@code replica}. */
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }
}
