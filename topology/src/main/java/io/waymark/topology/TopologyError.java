package io.waymark.topology;

/**
 * The errors of this module, with their stable codes. The code stands at the start of a message.
 */
public enum TopologyError {
  /** No snapshot of a group can be had and no fallback applied. */
  UNAVAILABLE(
      2101,
      true,
      "No snapshot of the group can be had, and no fallback applied. The message has the reason.",
      "missing: is the name right, and has the coordinator published it? deleted: nothing. Otherwise"
          + " look at the store; configure staleIfError or a seed to ride over its outages."),
  /** An encoded snapshot cannot be understood. */
  INVALID_SNAPSHOT(
      2102,
      false,
      "What is stored for a group is no snapshot that this version understands.",
      "Store the encoded form as it is; bring readers up to the coordinator's version."),
  /** The client was closed. */
  CLOSED(2103, false, "The topology client is closed.", "Build a new one."),
  /** A store cannot be used. */
  STORE(
      2104,
      true,
      "A store of snapshots could not be reached, read or set up. The message says what failed.",
      "Look at the store; the message names the remedy where there is one.");

  private final int number;
  private final boolean safeToRetry;
  private final String meaning;
  private final String remedy;

  TopologyError(int number, boolean safeToRetry, String meaning, String remedy) {
    this.number = number;
    this.safeToRetry = safeToRetry;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** The stable code, such as {@code WM2101}. */
  public String code() {
    return "WM" + number;
  }

  /** Whether the same call may be made again. */
  public boolean safeToRetry() {
    return safeToRetry;
  }

  /** What it means, in one or two sentences. */
  public String meaning() {
    return meaning;
  }

  /** What to do. */
  public String remedy() {
    return remedy;
  }
}
