package io.waymark.cli;

import java.time.Duration;
import java.util.Locale;

/**
 * Shares as bars.
 *
 * @param unicode whether they may be drawn with block characters
 */
record Bars(boolean unicode) {
  private static final int PROGRESS = 40;

  /** As the terminal's character set allows. */
  static Bars ofTerminal() {
    return new Bars(Waymark.charset().newEncoder().canEncode('█'));
  }

  /**
   * A bar in its place.
   *
   * @param share from 0 to 1
   * @param framed whether the rest is marked; if not, anything above 0 shows
   */
  String bar(double share, int width, boolean framed) {
    int full = (int) Math.round(Math.max(0, Math.min(1, share)) * width);
    if (full == 0 && share > 0 && !framed) {
      full = 1;
    }
    return (unicode ? "█" : "#").repeat(full) + (framed ? "." : " ").repeat(width - full);
  }

  /** How far something is: {@code [####....] 50 % 15.0 of 30 s}. */
  String progress(Duration elapsed, Duration whole) {
    double done = Math.min(1, (double) elapsed.toMillis() / whole.toMillis());
    return String.format(
        Locale.ROOT,
        "[%s] %3.0f %%  %.1f of %d s",
        bar(done, PROGRESS, true),
        100 * done,
        elapsed.toMillis() / 1000.0,
        whole.toSeconds());
  }
}
