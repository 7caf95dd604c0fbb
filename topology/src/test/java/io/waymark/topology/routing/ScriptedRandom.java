package io.waymark.topology.routing;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.random.RandomGenerator;

/** Gives the fractions that a test asked for, and nothing else. */
final class ScriptedRandom implements RandomGenerator {
  private final Queue<Double> fractions = new ArrayDeque<>();

  ScriptedRandom next(double... more) {
    for (double fraction : more) {
      fractions.add(fraction);
    }
    return this;
  }

  @Override
  public double nextDouble() {
    return Objects.requireNonNull(fractions.poll(), "a draw that the test did not expect");
  }

  @Override
  public long nextLong() {
    throw new AssertionError("the published design draws fractions only");
  }
}
