package io.waymark.cli;

/** What a command's exit status means. */
final class ExitStatus {
  /** Everything that was checked held. */
  static final int HELD = 0;

  /** Something that was checked did not hold, or could not be checked. */
  static final int NOT_HELD = 1;

  /** The command was used in a wrong way; nothing was done. */
  static final int WRONG_USE = 2;

  private ExitStatus() {}
}
