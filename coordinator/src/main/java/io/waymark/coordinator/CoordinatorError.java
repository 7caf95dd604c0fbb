package io.waymark.coordinator;

/**
 * The errors of a coordinator, with their stable codes. The code stands at the start of a message.
 */
public enum CoordinatorError {
  /** Others changed the group each time this change was about to be committed. Nothing was done. */
  CONFLICT(2201, true),
  /** The database belongs to another authority than the one that was configured. */
  AUTHORITY(2202, false),
  /** The coordinator is closed. Nothing was done. */
  CLOSED(2203, false),
  /**
   * The store did not take a snapshot. Not thrown: it is the last error of a publication that goes
   * on being tried.
   */
  NOT_PUBLISHED(2204, true),
  /**
   * The store holds what another authority published, which is not replaced unless it is
   * {@linkplain TopologyCoordinator#takeOver asked for}. Not thrown, as {@link #NOT_PUBLISHED}.
   */
  FOREIGN(2205, false);

  private final int number;
  private final boolean safeToRetry;

  CoordinatorError(int number, boolean safeToRetry) {
    this.number = number;
    this.safeToRetry = safeToRetry;
  }

  /** The stable code, such as {@code WM2201}. */
  public String code() {
    return "WM" + number;
  }

  /** Whether the same call may be made again. */
  public boolean safeToRetry() {
    return safeToRetry;
  }
}
