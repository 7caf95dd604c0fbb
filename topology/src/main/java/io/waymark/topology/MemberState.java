package io.waymark.topology;

import java.util.Locale;
import java.util.Optional;

/** What a member of a group may be used for. */
public enum MemberState {
  /** Announced and not ready: in neither set. */
  JOINING,
  /** In the write set and in the read set. */
  ACTIVE,
  /** Gets no new work and still holds data: in the read set only. */
  DRAINING;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** The word in snapshots, such as {@code active}. */
  public String text() {
    return text;
  }

  /** The state of a word; empty if there is none. */
  static Optional<MemberState> of(String text) {
    for (MemberState state : values()) {
      if (state.text.equals(text)) {
        return Optional.of(state);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return text;
  }
}
