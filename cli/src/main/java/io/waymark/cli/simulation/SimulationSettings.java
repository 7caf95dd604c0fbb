package io.waymark.cli.simulation;

import java.util.List;

/**
 * What the simulations were started with.
 *
 * @param seed of every draw: the same seed gives the same numbers
 * @param quick whether each is cut short, for a first look
 * @param scenarios which are run
 */
public record SimulationSettings(long seed, boolean quick, List<Scenario> scenarios) {
  private static final double QUICK = 0.2;

  double length() {
    return quick ? QUICK : 1;
  }
}
