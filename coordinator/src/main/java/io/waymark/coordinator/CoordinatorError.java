package io.waymark.coordinator;

/**
 * The errors of a coordinator, with their stable codes. The code stands at the start of a message.
 */
public enum CoordinatorError {
  /** Others changed the group each time this change was about to be committed. */
  CONFLICT(
      2201,
      true,
      "Others changed the group each time that the change was about to be committed, or the thread"
          + " was interrupted before that. Nothing was changed.",
      "Try again; let fewer callers change one group at once."),
  /** The database belongs to another authority than the one that was configured. */
  AUTHORITY(
      2202,
      false,
      "The database issues stamps under another name than `authority` says. Nothing was opened.",
      "Leave `authority` out, or use another database."),
  /** The coordinator is closed. */
  CLOSED(2203, false, "The coordinator is closed. Nothing was done.", "Build a new one."),
  /**
   * The store did not take a snapshot. Not thrown: it is the last error of a publication that goes
   * on being tried.
   */
  NOT_PUBLISHED(
      2204,
      true,
      "The store did not take a snapshot. Not thrown: it is the last error of a publication, which"
          + " goes on being tried.",
      "Look at the store. The change is committed and need not be made again."),
  /**
   * The store holds what another authority published. Not thrown, as {@link #NOT_PUBLISHED}.
   *
   * @see TopologyCoordinator#takeOver
   */
  FOREIGN(
      2205,
      false,
      "The store holds the group as another authority published it, and that is not replaced"
          + " unasked. Not thrown: it is the last error of a publication.",
      "Call `takeOver` if the group is this coordinator's now; else delete it here, which leaves what"
          + " the other has published.");

  private final int number;
  private final boolean safeToRetry;
  private final String meaning;
  private final String remedy;

  CoordinatorError(int number, boolean safeToRetry, String meaning, String remedy) {
    this.number = number;
    this.safeToRetry = safeToRetry;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** The stable code, such as {@code WM2201}. */
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
