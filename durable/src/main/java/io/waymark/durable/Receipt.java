package io.waymark.durable;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a handler answers: that the value has arrived, or that it is not final yet. A handler that
 * throws says that the attempt failed. Immutable.
 */
public final class Receipt {
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Receipt DELIVERED = new Receipt(null);

  private final @Nullable Duration again;

  private Receipt(@Nullable Duration again) {
    this.again = again;
  }

  /** The value has arrived and need not be sent again. */
  public static Receipt delivered() {
    return DELIVERED;
  }

  /**
   * Nothing failed, but the newest value must be delivered once more after this time.
   *
   * @param wait how long to wait; zero to a day
   * @throws IllegalArgumentException if it is negative or longer
   */
  public static Receipt again(Duration wait) {
    if (wait.isNegative() || wait.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("wait must be between 0 and a day, was " + wait);
    }
    return new Receipt(wait);
  }

  @Nullable Duration again() {
    return again;
  }

  @Override
  public String toString() {
    return again == null ? "delivered" : "again in " + again;
  }
}
