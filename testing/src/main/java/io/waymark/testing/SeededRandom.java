package io.waymark.testing;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Random numbers that can be had again. The seed comes from the system property {@value #PROPERTY};
 * where that is not set, a fresh one is drawn. {@link #toString()} tells the seed and how to repeat
 * the run, so put it into the message of an assertion, or let {@link SeededRandomExtension} report
 * it when a test fails.
 *
 * <p>The numbers are those of {@link Random} with the same seed, on every JDK. Thread safe, but
 * threads that share one draw in an order that no seed repeats: give each thread its own {@link
 * #split()}.
 */
public final class SeededRandom implements RandomGenerator {

  /** The system property that fixes the seed: a decimal {@code long}. */
  public static final String PROPERTY = "waymark.seed";

  private final long seed;
  private final Random random;

  private SeededRandom(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  /**
   * A generator with the seed of the system property {@value #PROPERTY}, or with a fresh one.
   *
   * @throws IllegalArgumentException if the property is set to something that is no decimal long
   */
  public static SeededRandom create() {
    String text = System.getProperty(PROPERTY);
    return new SeededRandom(
        text == null || text.isBlank() ? new SplittableRandom().nextLong() : parse(text.strip()));
  }

  /** A generator with the given seed, whatever the system property says. */
  public static SeededRandom of(long seed) {
    return new SeededRandom(seed);
  }

  private static long parse(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "system property " + PROPERTY + " must be a decimal long, was '" + text + "'", e);
    }
  }

  /** The seed that gives the same numbers again. */
  public long seed() {
    return seed;
  }

  /** A new generator whose seed is the next number of this one. */
  public SeededRandom split() {
    return new SeededRandom(random.nextLong());
  }

  @Override
  public long nextLong() {
    return random.nextLong();
  }

  @Override
  public int nextInt() {
    return random.nextInt();
  }

  /** The seed and the option that repeats the run. */
  @Override
  public String toString() {
    return "seed " + seed + " (repeat with -D" + PROPERTY + "=" + seed + ")";
  }
}
