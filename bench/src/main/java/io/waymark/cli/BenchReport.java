package io.waymark.cli;

import io.waymark.bench.peers.Bar;
import io.waymark.bench.peers.Contender;
import io.waymark.bench.peers.Plan;
import io.waymark.bench.peers.Result;
import io.waymark.bench.peers.Scenario;
import io.waymark.bench.peers.Standings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a bench in JSON. The names are a contract with scripts.
 *
 * @param held whether all bars were held
 * @param parameters what can be repeated
 * @param bars what Waymark must hold
 * @param results by contender and scenario
 */
record BenchReport(
    boolean held,
    Parameters parameters,
    List<Bar> bars,
    Map<String, Map<Scenario, Result>> results) {

  /**
   * What can be repeated, and on what.
   *
   * @param rounds how often all of it was done
   * @param seconds how long each timed call was measured in a round
   * @param flushed whether the servers' data was on a disk and flushed
   * @param serverVersion such as {@code 18.6}
   * @param javaVersion such as {@code 17.0.15}
   * @param processors of the machine
   */
  record Parameters(
      int rounds,
      long seconds,
      boolean flushed,
      String serverVersion,
      String javaVersion,
      int processors) {}

  static BenchReport of(Plan plan, int rounds, Standings standings, List<Bar> bars) {
    Map<String, Map<Scenario, Result>> results = new LinkedHashMap<>();
    for (Map.Entry<Contender, Map<Scenario, Result>> each : standings.results().entrySet()) {
      results.put(each.getKey().word(), each.getValue());
    }
    return new BenchReport(
        bars.stream().allMatch(Bar::held),
        new Parameters(
            rounds,
            plan.timed().toSeconds(),
            plan.disk().isPresent(),
            standings.server(),
            System.getProperty("java.version"),
            Runtime.getRuntime().availableProcessors()),
        bars,
        results);
  }
}
