package io.waymark.postgres;

import java.util.HexFormat;
import java.util.Locale;

/**
 * Positions in PostgreSQL's write-ahead log, as unsigned 64-bit numbers.
 *
 * <p>The text form is two hexadecimal halves, {@code 16/B374D848}. Positions compare only within
 * one history; see {@link History}.
 */
final class Lsn {
  /** No position: PostgreSQL's own invalid value, {@code 0/0}. */
  static final long NONE = 0;

  /** What a page header takes at the start of a page, in bytes: {@code SizeOfXLogShortPHD}. */
  private static final long PAGE_HEADER = 24;

  /** What it takes at the start of a segment: {@code SizeOfXLogLongPHD}. */
  private static final long SEGMENT_HEADER = 40;

  private Lsn() {}

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if it is none
   */
  static long parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 1 || slash > 8 || text.length() - slash > 9 || text.length() - slash < 2) {
      throw new IllegalArgumentException("not a log position: " + text);
    }
    try {
      long high = HexFormat.fromHexDigitsToLong(text, 0, slash);
      long low = HexFormat.fromHexDigitsToLong(text, slash + 1, text.length());
      return high << 32 | low;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a log position: " + text, e);
    }
  }

  /** The text form. */
  static String format(long lsn) {
    return Long.toHexString(lsn >>> 32).toUpperCase(Locale.ROOT)
        + "/"
        + Long.toHexString(lsn & 0xFFFF_FFFFL).toUpperCase(Locale.ROOT);
  }

  /** Whether a server that has replayed up to {@code replay} has replayed {@code target}. */
  static boolean reached(long replay, long target) {
    return Long.compareUnsigned(replay, target) >= 0;
  }

  /** The larger one. */
  static long max(long a, long b) {
    return Long.compareUnsigned(a, b) >= 0 ? a : b;
  }

  /** How far {@code behind} is behind {@code ahead}, in bytes; 0 when it is not. */
  static long distance(long ahead, long behind) {
    return reached(behind, ahead) ? 0 : ahead - behind;
  }

  /**
   * An insert position, moved back over a page header.
   *
   * <p>When a record ends exactly at the end of a page, the insert position already stands behind
   * the next page's header, while replay stops at the end of the record; a standby that has
   * replayed everything would look behind until the next record. No record can end right behind a
   * header, so the step back is exact.
   *
   * @param insert what {@code pg_current_wal_insert_lsn()} said
   * @param blockSize {@code wal_block_size}
   * @param segmentSize {@code wal_segment_size}
   */
  static long normalised(long insert, long blockSize, long segmentSize) {
    if (Long.remainderUnsigned(insert, segmentSize) == SEGMENT_HEADER) {
      return insert - SEGMENT_HEADER;
    }
    long inSegment = Long.remainderUnsigned(insert, segmentSize);
    return inSegment > blockSize && inSegment % blockSize == PAGE_HEADER
        ? insert - PAGE_HEADER
        : insert;
  }
}
