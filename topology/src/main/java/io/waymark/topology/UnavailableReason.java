package io.waymark.topology;

import io.waymark.core.Reason;
import java.util.Locale;

/** Why a group's published snapshot cannot be had. The text form is the name in lower case. */
public enum UnavailableReason implements Reason {
  /** The store holds nothing under that name: never published, or the store has forgotten it. */
  MISSING,
  /** The store holds a tombstone: the coordinator deleted the group. */
  DELETED,
  /** What the store holds is no snapshot. */
  INVALID,
  /** The store did not answer within the read timeout. */
  TIMEOUT,
  /** The read failed. */
  FAILED,
  /** The store holds an older snapshot than this client has seen, and that one is not kept. */
  OUTDATED;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** The word in messages, events and metrics, such as {@code missing}. */
  public String text() {
    return text;
  }

  @Override
  public String text(String endpoint) {
    return text;
  }

  /** Whether the store has said that there is no such group: nothing older may stand in for it. */
  boolean isAbsence() {
    return this == MISSING || this == DELETED;
  }

  @Override
  public String toString() {
    return text;
  }
}
