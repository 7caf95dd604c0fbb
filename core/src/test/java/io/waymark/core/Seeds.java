package io.waymark.core;

import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Seeds for property tests: other ones at every run, so that runs add up. A failing test shows its
 * seed in its name; {@code -Dwaymark.seed=N} runs that one alone.
 */
final class Seeds {
  private static final String PROPERTY = "waymark.seed";

  private Seeds() {}

  static LongStream many() {
    return seeds(100);
  }

  static LongStream few() {
    return seeds(20);
  }

  private static LongStream seeds(int count) {
    Long fixed = Long.getLong(PROPERTY);
    return fixed != null ? LongStream.of(fixed) : new SplittableRandom().longs(count);
  }
}
