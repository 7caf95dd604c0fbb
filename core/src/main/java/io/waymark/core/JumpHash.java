package io.waymark.core;

/**
 * Puts keys into numbered buckets so that one more bucket moves as few keys as can be: each with
 * the chance of 1 in the new number, and only into the new bucket.
 *
 * <p>Buckets come and go at the end only, so this fits a width ({@code shard-0} to {@code
 * shard-<w-1>}) and not members of which any can leave; for those there is {@link Rendezvous}.
 *
 * <p>John Lamping and Eric Veach: A Fast, Minimal Memory, Consistent Hash Algorithm, 2014. It takes
 * O(log n) steps and allocates nothing.
 */
public final class JumpHash {
  private JumpHash() {}

  /**
   * The bucket of a key.
   *
   * @param key any number; neighbours may share a bucket no more than others do
   * @param buckets how many there are, at least 1
   * @return from 0 to {@code buckets - 1}
   * @throws IllegalArgumentException if there is no bucket
   */
  public static int bucket(long key, int buckets) {
    if (buckets < 1) {
      throw new IllegalArgumentException("buckets must be at least 1, was " + buckets);
    }
    long state = key;
    long bucket = -1;
    long next = 0;
    while (next < buckets) {
      bucket = next;
      state = state * 2862933555777941757L + 1;
      next = (long) ((bucket + 1) / (((state >>> 33) + 1) * 0x1.0p-31));
    }
    return (int) bucket;
  }

  /**
   * The bucket of a key, by its {@link StableHash}.
   *
   * @param key any text
   * @param buckets how many there are, at least 1
   * @return from 0 to {@code buckets - 1}
   * @throws IllegalArgumentException if there is no bucket
   */
  public static int bucket(CharSequence key, int buckets) {
    return bucket(StableHash.of(key), buckets);
  }
}
