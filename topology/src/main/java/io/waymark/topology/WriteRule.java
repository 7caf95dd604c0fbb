package io.waymark.topology;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a write may take the place of what is stored: the one rule of all stores that compare
 * stamps, for those that compare in Java. Only who implements a store needs it.
 */
public final class WriteRule {
  private WriteRule() {}

  /**
   * Judges a write.
   *
   * @param stored the encoded form that is stored; null if there is none
   * @param next what is to be written
   * @param encoded its encoded form
   * @param replacing the stamp of another authority that may be replaced; null for none
   * @return empty if it is to be written; else what came of it without that
   */
  public static Optional<WriteOutcome> judge(
      @Nullable String stored, Published next, String encoded, @Nullable Stamp replacing) {
    Stamp found = stored == null ? null : stampOf(next.group(), stored).orElse(null);
    if (stored == null || found == null) {
      return Optional.empty(); // nothing that a reader could use is lost
    }
    if (next.stamp().isNewerThan(found) || found.equals(replacing)) {
      return Optional.empty();
    }
    boolean there = found.equals(next.stamp()) && stored.equals(encoded);
    return Optional.of(there ? WriteOutcome.applied() : new WriteOutcome.Superseded(found));
  }

  /** The stamp of what is stored; empty if that is no snapshot of this group. */
  public static Optional<Stamp> stampOf(String group, String stored) {
    try {
      return Optional.of(SnapshotCodec.decode(group, stored).stamp());
    } catch (InvalidSnapshotException e) {
      return Optional.empty();
    }
  }

  /**
   * The stamp that a take-over names, if it can be one.
   *
   * @throws IllegalArgumentException if both are of one authority
   */
  public static Stamp replacing(Stamp found, Published next) {
    if (found.isComparableTo(next.stamp())) {
      throw new IllegalArgumentException(
          "group "
              + next.group()
              + " is "
              + found.authority()
              + "'s already: nothing is taken over by "
              + next.stamp());
    }
    return found;
  }
}
