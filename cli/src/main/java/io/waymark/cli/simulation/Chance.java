package io.waymark.cli.simulation;

import java.util.SplittableRandom;

/**
 * Independent sources of chance by name: two runs of one seed that differ in the policy only get
 * the same arrivals and the same work.
 */
final class Chance {
  private final long seed;

  Chance(long seed) {
    // Seeds that lie close together must not give streams that overlap.
    this.seed = new SplittableRandom(seed).nextLong();
  }

  /** The source of this name. */
  SplittableRandom of(String name) {
    return new SplittableRandom(new SplittableRandom(seed ^ name.hashCode()).nextLong());
  }

  /** All sources of a part that has a name. */
  Chance in(String part) {
    return new Chance(of(part).nextLong());
  }
}
