package io.waymark.cli.simulation;

import java.time.Duration;
import java.util.List;

/**
 * How far the simulations are.
 *
 * @param settings what they were started with
 * @param elapsed since they were
 * @param scenarios each scenario, in order
 */
public record SimulationState(SimulationSettings settings, Duration elapsed, List<Row> scenarios) {
  /**
   * One scenario.
   *
   * @param scenario which
   * @param done how much of it is done, from 0 to 1
   * @param checks what it has found; empty until it is done
   */
  public record Row(Scenario scenario, double done, List<Check> checks) {}

  /** How much of all is done, from 0 to 1. */
  public double done() {
    return scenarios.stream().mapToDouble(Row::done).average().orElse(1);
  }
}
