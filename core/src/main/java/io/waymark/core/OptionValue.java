package io.waymark.core;

import java.time.Duration;

/**
 * The checks of values that are already typed, with the same messages as {@link OptionText}. Each
 * returns the value it was given.
 */
public final class OptionValue {
  private static final int LONGEST_NAME = 128;

  /** Nearly 25 days: what pools and drivers count in 32 bits of milliseconds. */
  private static final Duration LONGEST_WAIT = Duration.ofMillis(Integer.MAX_VALUE);

  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private OptionValue() {}

  /**
   * A whole number of at least 1.
   *
   * @throws OptionException otherwise
   */
  public static int positive(Option option, int value) {
    if (value < 1) {
      throw OptionException.refused(option, value, "it must be positive");
    }
    return value;
  }

  /**
   * A number above 0 that is not infinite.
   *
   * @throws OptionException otherwise, and for NaN
   */
  public static double positive(Option option, double value) {
    return positive(option, value, value);
  }

  static double positive(Option option, double value, Object shown) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw OptionException.refused(option, shown, "it must be positive and finite");
    }
    return value;
  }

  /**
   * A time to wait: positive and at most {@link Integer#MAX_VALUE} milliseconds, nearly 25 days,
   * because pools and drivers count waits in 32 bits.
   *
   * @throws OptionException otherwise
   */
  public static Duration waitTime(Option option, Duration value) {
    return waitTime(option, value, shown(value));
  }

  static Duration waitTime(Option option, Duration value, String shown) {
    if (value.isNegative() || value.isZero()) {
      throw OptionException.refused(option, shown, "it must be positive");
    }
    if (value.compareTo(LONGEST_WAIT) > 0) {
      throw OptionException.refused(option, shown, "it must be at most 24 days");
    }
    return value;
  }

  /**
   * Zero or longer, and short enough to be counted in 64 bits of nanoseconds.
   *
   * @throws OptionException otherwise
   */
  public static Duration notNegative(Option option, Duration value) {
    if (value.isNegative()) {
      throw OptionException.refused(option, shown(value), "it must not be negative");
    }
    if (value.compareTo(LONGEST) > 0) {
      throw OptionException.refused(option, shown(value), "it is too long");
    }
    return value;
  }

  /**
   * A duration between two bounds, both accepted.
   *
   * @throws OptionException otherwise
   */
  public static Duration within(Option option, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0) {
      throw OptionException.refused(option, shown(value), "it is too short");
    }
    if (value.compareTo(most) > 0) {
      throw OptionException.refused(option, shown(value), "it is too long");
    }
    return value;
  }

  /**
   * Zero or more.
   *
   * @throws OptionException otherwise
   */
  public static long notNegative(Option option, long value) {
    if (value < 0) {
      throw OptionException.refused(option, value, "it must not be negative");
    }
    return value;
  }

  /**
   * A name for logs, metrics and messages: at most 128 characters, not blank, without surrounding
   * white space and control characters.
   *
   * @throws OptionException otherwise
   */
  public static String name(Option option, String value) {
    if (value.isBlank()) {
      throw OptionException.refused(option, value, "it must not be empty");
    }
    if (value.length() > LONGEST_NAME) {
      throw OptionException.refused(option, value, "it is too long");
    }
    if (!value.equals(value.strip())) {
      throw OptionException.refused(option, value, "it must not start or end with a space");
    }
    if (!OptionText.isPlain(value)) {
      throw OptionException.refused(option, value, "it must not hold control characters");
    }
    return value;
  }

  private static String shown(Duration value) {
    return value.isNegative() ? value.toString() : OptionText.format(value);
  }
}
