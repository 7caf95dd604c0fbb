package io.waymark.postgres;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A map of fixed size from SQL text to traits. Reads take no lock, write nothing and allocate
 * nothing, so threads that share statements do not disturb one another.
 *
 * <p>Each text belongs to one set of two places, chosen by its hash. A new text takes the first
 * place and moves what was there to the second; what was in the second is forgotten. That is O(1)
 * without book-keeping on reads; its price is that three hot texts in one set displace each other,
 * which costs a scan and never a wrong answer. Two threads that insert at once may lose an entry,
 * which costs the same.
 *
 * <p>Memory is bounded by the number of entries and by the longest text that is kept: longer texts
 * are mostly generated, unlikely to come again, and are scanned each time.
 */
final class SqlTraitsCache {

  private record Entry(String sql, SqlTraits traits) {}

  private final AtomicReferenceArray<@Nullable Entry> entries;
  private final int maxLength;
  private final int mask;

  /**
   * @param capacity the number of entries, a power of two of at least two
   * @param maxLength the longest text kept, in chars
   */
  SqlTraitsCache(int capacity, int maxLength) {
    if (capacity < 2 || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException("capacity must be a power of two, was " + capacity);
    }
    this.entries = new AtomicReferenceArray<>(capacity);
    this.maxLength = maxLength;
    this.mask = capacity - 2;
  }

  SqlTraits get(String sql) {
    if (sql.length() > maxLength) {
      return SqlTraits.scan(sql);
    }
    int hash = sql.hashCode();
    int place = ((hash ^ (hash >>> 16)) << 1) & mask;
    Entry first = entries.getAcquire(place);
    if (first != null && first.sql.equals(sql)) {
      return first.traits;
    }
    Entry second = entries.getAcquire(place + 1);
    if (second != null && second.sql.equals(sql)) {
      return second.traits;
    }
    Entry fresh = new Entry(sql, SqlTraits.scan(sql));
    entries.setRelease(place + 1, first);
    entries.setRelease(place, fresh);
    return fresh.traits;
  }

  /** The number of texts kept now. */
  int size() {
    int size = 0;
    for (int i = 0; i < entries.length(); i++) {
      if (entries.getAcquire(i) != null) {
        size++;
      }
    }
    return size;
  }
}
