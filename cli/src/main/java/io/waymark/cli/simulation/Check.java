package io.waymark.cli.simulation;

import java.util.Locale;

/**
 * A number that came out, beside the one that was to be expected.
 *
 * @param what is measured
 * @param measured what came out
 * @param expected what was expected, as people write it
 * @param verdict whether it is as expected
 */
public record Check(String what, double measured, String expected, Verdict verdict) {
  /** What a comparison ended with. */
  public enum Verdict {
    /** As expected. */
    HELD,
    /** Not as expected. */
    MISSED,
    /** Shown beside the others only; nothing is expected of it. */
    SHOWN
  }

  /** Expects a number, and allows for a part of it to either side. */
  static Check near(String what, double measured, double expected, double part) {
    return of(
        what,
        measured,
        String.format(Locale.ROOT, "%s within %.0f %%", text(expected), 100 * part),
        Math.abs(measured - expected) <= part * expected);
  }

  /** Expects no more than this. */
  static Check atMost(String what, double measured, double most) {
    return of(what, measured, "at most " + text(most), measured <= most);
  }

  /** Expects no more than this, which has a reason. */
  static Check atMost(String what, double measured, double most, String reason) {
    return of(what, measured, "at most " + text(most) + ", " + reason, measured <= most);
  }

  /** Expects a number from one to the other. */
  static Check between(String what, double measured, double least, double most) {
    return of(
        what, measured, text(least) + " to " + text(most), least <= measured && measured <= most);
  }

  /** Shows a number beside the others. */
  static Check shown(String what, double measured, String words) {
    return new Check(what, measured, words, Verdict.SHOWN);
  }

  private static Check of(String what, double measured, String expected, boolean held) {
    return new Check(what, measured, expected, held ? Verdict.HELD : Verdict.MISSED);
  }

  /** Whether nothing is wrong with it. */
  public boolean held() {
    return verdict != Verdict.MISSED;
  }

  /** A number with as many places as tell something. */
  public static String text(double number) {
    if (number == Math.rint(number) && Math.abs(number) < 1e9) {
      return String.format(Locale.ROOT, "%.0f", number);
    }
    double size = Math.abs(number);
    return String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.3f", number);
  }
}
