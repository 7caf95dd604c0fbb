package io.waymark.topology;

/** What came of a {@link StateUpdate} at the member that received it. */
public enum Reception {
  /** It was newer than what the member had, and is applied. */
  APPLIED,
  /** It is what the member applied last; nothing was done. */
  REPEATED,
  /** It is older than what the member had; nothing was done. */
  OLDER;

  static Reception of(HighWater.Verdict verdict) {
    return switch (verdict) {
      case NEWER -> APPLIED;
      case SAME -> REPEATED;
      case OLDER -> OLDER;
    };
  }

  /**
   * How an update stands to what a member has seen.
   *
   * @throws IllegalArgumentException if nobody issued it: it would be newer than everything
   */
  static HighWater.Verdict judge(HighWater seen, StateUpdate<?> update) {
    if (update.stamp().isLocal()) {
      throw new IllegalArgumentException(
          "an update must have the stamp that its coordinator gave it, not a local one");
    }
    return seen.judge(update.stamp());
  }
}
