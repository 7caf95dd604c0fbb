package io.waymark.cli;

import io.waymark.cli.simulation.Check;
import io.waymark.cli.simulation.Findings;
import io.waymark.cli.simulation.Scenario;
import io.waymark.cli.simulation.SimulationSettings;
import io.waymark.cli.simulation.SimulationState;
import io.waymark.core.OptionText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The simulations as plain lines: how far they are, for a log or a pipe, and what came out. */
final class RoutingLines implements Consumer<SimulationState> {
  private final PrintWriter out;
  private final Set<Scenario> told = EnumSet.noneOf(Scenario.class);

  RoutingLines(PrintWriter out) {
    this.out = out;
  }

  /** What is about to be run. */
  static String beginning(SimulationSettings settings) {
    return "Simulating "
        + Text.many(settings.scenarios().size(), "scenario")
        + ", seed "
        + settings.seed()
        + (settings.quick() ? ", a fifth of each" : "")
        + " ...";
  }

  @Override
  public void accept(SimulationState state) {
    for (SimulationState.Row row : state.scenarios()) {
      if (row.done() >= 1 && told.add(row.scenario())) {
        out.printf(
            "%6.1f s  %s: %s%n",
            state.elapsed().toMillis() / 1000.0,
            OptionText.word(row.scenario()),
            row.checks().stream().allMatch(Check::held) ? "as expected" : "NOT AS EXPECTED");
      }
    }
    out.flush();
  }

  /** What came out. */
  static List<String> ending(SimulationSettings settings, Map<Scenario, Findings> findings) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    Table table = new Table("scenario", "what", "measured", "expected", "");
    long missed = 0;
    for (Map.Entry<Scenario, Findings> each : findings.entrySet()) {
      String name = OptionText.word(each.getKey());
      for (Check check : each.getValue().checks()) {
        table.row(name, check.what(), Check.text(check.measured()), check.expected(), word(check));
        name = "";
        missed += check.held() ? 0 : 1;
      }
    }
    lines.addAll(table.lines());
    lines.add("");
    lines.add("Times are in units: the mean time that a member works on one call.");
    lines.add(
        missed == 0
            ? "HELD: everything came out as expected."
            : "NOT HELD: "
                + Text.many(missed, "number")
                + " not as expected (again with --seed "
                + settings.seed()
                + ").");
    return lines;
  }

  static String word(Check check) {
    return check.verdict() == Check.Verdict.SHOWN
        ? ""
        : check.verdict().name().toLowerCase(Locale.ROOT);
  }
}
