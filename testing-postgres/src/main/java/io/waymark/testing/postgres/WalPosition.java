package io.waymark.testing.postgres;

import java.util.Locale;

/**
 * A position in the write-ahead log, which PostgreSQL writes as {@code 16/B374D848}. Positions
 * compare only within one timeline of one system.
 *
 * @param value the number of bytes from the log's beginning; unsigned
 */
public record WalPosition(long value) implements Comparable<WalPosition> {

  private static final long PAGE = 8192;
  private static final long SEGMENT = 16L << 20;
  private static final long SHORT_HEADER = 24;
  private static final long LONG_HEADER = 40;

  /**
   * Parses PostgreSQL's text form.
   *
   * @throws IllegalArgumentException if the text is no position
   */
  public static WalPosition parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 1) {
      throw new IllegalArgumentException("'" + text + "' is no position in the log");
    }
    long upper = Long.parseLong(text, 0, slash, 16);
    return new WalPosition(upper << 32 | Long.parseLong(text, slash + 1, text.length(), 16));
  }

  /**
   * The end of the last record, for a position that the server told as "next". Where a record ends
   * exactly on a page, "next" is behind the header of the following page, which a standby reaches
   * only with the next record: 24 bytes, or 40 at the beginning of a segment of 16 MiB.
   */
  WalPosition withoutPageHeader() {
    if (value % SEGMENT == LONG_HEADER) {
      return new WalPosition(value - LONG_HEADER);
    }
    return value % PAGE == SHORT_HEADER ? new WalPosition(value - SHORT_HEADER) : this;
  }

  @Override
  public int compareTo(WalPosition other) {
    return Long.compareUnsigned(value, other.value);
  }

  /** PostgreSQL's text form. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%X/%X", value >>> 32, value & 0xFFFFFFFFL);
  }
}
