package io.waymark.cli;

import java.time.Duration;
import java.util.Locale;

/** Numbers and words for people, in a fixed width where asked. */
final class Text {
  private static final String UNKNOWN = "?";
  private static final long LARGEST_GROUPED = 9_999_999;

  private Text() {}

  /** Exactly this wide, to the left; what is too long is cut. */
  static String left(String text, int width) {
    return cut(text, width) + " ".repeat(Math.max(0, width - text.length()));
  }

  /** Exactly this wide, to the right; what is too long is cut. */
  static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + cut(text, width);
  }

  /** At most this wide; the last place of what was cut says so. */
  static String cut(String text, int width) {
    if (text.length() <= width) {
      return text;
    }
    return width < 1 ? "" : text.substring(0, width - 1) + "~";
  }

  /** {@code 1,234,567} or {@code 123.4M}: at most nine characters. */
  static String count(long count) {
    if (count <= LARGEST_GROUPED) {
      return String.format(Locale.ROOT, "%,d", count);
    }
    double scaled = count;
    String units = "kMGTPE";
    int unit = -1;
    while (scaled >= 1000 && unit < units.length() - 1) {
      scaled /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f%c", scaled, units.charAt(unit));
  }

  /** {@code 0 B}, {@code 1.2 MB}, with steps of 1024. */
  static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double scaled = bytes;
    String units = "kMGTPE";
    int unit = -1;
    while (scaled >= 1024 && unit < units.length() - 1) {
      scaled /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %cB", scaled, units.charAt(unit));
  }

  /** {@code 0.42 ms}, {@code 187 ms}, {@code 7.1 s}. */
  static String duration(Duration duration) {
    double millis = duration.getSeconds() * 1e3 + duration.getNano() / 1e6;
    if (millis < 10) {
      return String.format(Locale.ROOT, "%.2f ms", millis);
    }
    return millis < 1000
        ? String.format(Locale.ROOT, "%.0f ms", millis)
        : String.format(Locale.ROOT, "%.1f s", millis / 1000);
  }

  /** {@code 93.4 %}; a question mark of nothing. */
  static String percent(long part, long whole) {
    return whole == 0 ? UNKNOWN : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }

  /** {@code 1 replica}, {@code 2 replicas}. */
  static String many(long count, String one) {
    return count(count) + " " + one + (count == 1 ? "" : "s");
  }
}
