package io.waymark.durable;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What shall become of one claimed delivery.
 *
 * @param pause until it is due again
 * @param error what failed, if something did
 * @param reason why it is a dead letter
 */
record RowChange(
    FanoutRow row,
    What what,
    Duration pause,
    @Nullable String error,
    StoredMessage.@Nullable Reason reason) {
  /** What is done with the row. */
  enum What {
    /** Removed: the target has settled it. */
    REMOVE,
    /** Due again after the wait. */
    AGAIN,
    /** Meant for the dead letters from now on. */
    DEAD,
    /** As if it had not been claimed. */
    GIVE_BACK
  }

  static RowChange remove(FanoutRow row) {
    return new RowChange(row, What.REMOVE, Duration.ZERO, null, null);
  }

  static RowChange again(FanoutRow row, Duration pause, @Nullable String error) {
    return new RowChange(row, What.AGAIN, pause, error, null);
  }

  static RowChange dead(FanoutRow row, StoredMessage.Reason reason, @Nullable String error) {
    return new RowChange(row, What.DEAD, Duration.ZERO, error, reason);
  }

  static RowChange giveBack(FanoutRow row) {
    return new RowChange(row, What.GIVE_BACK, Duration.ZERO, null, null);
  }
}
