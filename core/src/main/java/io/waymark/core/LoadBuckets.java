package io.waymark.core;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one direction by the second in which they ended, for the last {@value #WINDOW} seconds.
 *
 * <p>A bucket is the second's for ever: when its place in the ring is needed it is replaced, not
 * emptied. Who comes late and still holds the old one adds to the old one, where nobody looks any
 * more; so no sample can turn up in a second that is not its own. Number and sum of a bucket are
 * one word, so that a reader sees both of a sample or neither. Threads that meet at a word cause
 * the buckets to come to have more of them.
 *
 * <p>Thread safe and lock-free; a bucket for each second with calls is all that is allocated.
 */
final class LoadBuckets {
  /** How many seconds count, the one that runs among them. */
  static final int WINDOW = 60;

  /** The longest duration that a sample can have, in microseconds: over 50 days. */
  static final long LONGEST = (1L << 42) - 1;

  /**
   * More places than seconds that count: a reader whose second is over by the time it looks still
   * finds its oldest bucket.
   */
  private static final int PLACES = 64;

  private static final int MOST_WORDS = 8;

  private final AtomicReferenceArray<@Nullable Bucket> ring = new AtomicReferenceArray<>(PLACES);

  /** How many words the buckets to come have: one, unless threads were in each other's way. */
  private volatile int words = 1;

  /**
   * What ended within a window.
   *
   * @param count how many calls
   * @param micros how long they took together, in microseconds
   */
  record Totals(long count, long micros) {}

  /**
   * Adds a call that ended in this second.
   *
   * @param second the second's number; any origin will do
   * @param micros how long it took; beyond {@link #LONGEST} it counts as that
   */
  void add(long second, long micros) {
    Bucket bucket = bucket(second);
    if (bucket != null) {
      bucket.add(Math.min(micros, LONGEST));
    }
  }

  /** What ended in this second and in the 59 before it. */
  Totals totals(long second) {
    long count = 0;
    long micros = 0;
    for (int place = 0; place < PLACES; place++) {
      for (Bucket at = ring.get(place); at != null && at.within(second); at = at.more.get()) {
        for (int i = 0; i < at.values.length(); i += Bucket.STRIDE) {
          long word = at.values.get(i);
          count += Bucket.count(word);
          micros += Bucket.micros(word);
        }
      }
    }
    return new Totals(count, micros);
  }

  /** The second's bucket, or null where its place belongs to a later one: no window has it then. */
  private @Nullable Bucket bucket(long second) {
    int place = (int) (second & (PLACES - 1));
    Bucket held = ring.get(place);
    while (held == null || held.second < second) {
      Bucket fresh = new Bucket(second, words);
      if (ring.compareAndSet(place, held, fresh)) {
        return fresh;
      }
      held = ring.get(place);
    }
    return held.second == second ? held : null;
  }

  private void crowded(int among) {
    // A lost update between two threads costs a second until the next one.
    words = Math.max(words, Math.min(MOST_WORDS, 2 * among));
  }

  /** One second: a number of words, each a count above a sum. */
  private final class Bucket {
    /** Words of a bucket stand a cache line apart. */
    static final int STRIDE = 8;

    private static final int SUM_BITS = 42;
    private static final long ONE = 1L << SUM_BITS;
    private static final long MOST = -1L >>> SUM_BITS;

    private final long second;
    private final AtomicLongArray values;

    /** Where it goes on when a word is full, with four million calls or 50 days of them. */
    private final AtomicReference<@Nullable Bucket> more = new AtomicReference<>();

    Bucket(long second, int words) {
      this.second = second;
      this.values = new AtomicLongArray((words - 1) * STRIDE + 1);
    }

    static long count(long word) {
      return word >>> SUM_BITS;
    }

    static long micros(long word) {
      return word & (ONE - 1);
    }

    boolean within(long now) {
      long age = now - second;
      return age >= 0 && age < WINDOW;
    }

    void add(long micros) {
      Bucket at = this;
      while (!at.takes(micros)) {
        at = at.next();
      }
    }

    /** Counts the sample unless the word is full. */
    private boolean takes(long micros) {
      int number = values.length() / STRIDE + 1;
      int turn = (int) Thread.currentThread().getId();
      while (true) {
        int i = (turn & (number - 1)) * STRIDE;
        long before = values.get(i);
        if (count(before) == MOST || micros(before) + micros >= ONE) {
          return false;
        }
        if (values.compareAndSet(i, before, before + ONE + micros)) {
          return true;
        }
        crowded(number);
        turn++;
      }
    }

    private Bucket next() {
      Bucket next = more.get();
      if (next == null) {
        Bucket fresh = new Bucket(second, words);
        next = more.compareAndExchange(null, fresh);
        return next == null ? fresh : next;
      }
      return next;
    }
  }
}
