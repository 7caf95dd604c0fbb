package io.waymark.topology;

/** What came of a write to a store. */
public sealed interface WriteOutcome {
  /** It is stored: written now, or found there as it is. */
  record Applied() implements WriteOutcome {}

  /**
   * Something else is stored, and this is not and never will be, by this write.
   *
   * @param found the stamp of what is stored: newer, of another authority, or the same stamp with
   *     other content, which means that a number was issued twice
   */
  record Superseded(Stamp found) implements WriteOutcome {}

  /**
   * Nobody knows: it may be stored, may never be, or may be later. A store that compares stamps can
   * simply be asked again.
   *
   * @param cause what went wrong
   */
  record Uncertain(Throwable cause) implements WriteOutcome {}

  /**
   * It is not stored and never will be, by this write: nothing was sent, or the store refused it.
   *
   * @param cause what went wrong
   */
  record NotWritten(Throwable cause) implements WriteOutcome {}

  /** {@link Applied}. */
  static WriteOutcome applied() {
    return new Applied();
  }

  /** Whether it is stored. */
  default boolean isApplied() {
    return this instanceof Applied;
  }

  /** Whether nothing of it is under way any more. */
  default boolean isSettled() {
    return !(this instanceof Uncertain);
  }
}
