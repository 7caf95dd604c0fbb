package io.waymark.cli;

import io.waymark.cli.simulation.Check;
import io.waymark.cli.simulation.SimulationState;
import io.waymark.core.OptionText;
import java.util.ArrayList;
import java.util.List;

/** The live view of the simulations: as wide and high as {@link DemoFrame}. */
final class RoutingFrame {
  private static final int BAR = 30;

  private final Bars bars;

  RoutingFrame(Bars bars) {
    this.bars = bars;
  }

  List<String> lines(SimulationState state) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            java.util.Locale.ROOT,
            " waymark demo routing | seed %d | %s | %.1f s",
            state.settings().seed(),
            Text.many(state.scenarios().size(), "scenario"),
            state.elapsed().toMillis() / 1000.0));
    lines.add("");
    for (SimulationState.Row row : state.scenarios()) {
      lines.add(
          " "
              + Text.left(OptionText.word(row.scenario()), 16)
              + " ["
              + bars.bar(row.done(), BAR, true)
              + "]  "
              + word(row));
    }
    return lines.stream().map(line -> Text.cut(line.stripTrailing(), DemoFrame.COLUMNS)).toList();
  }

  private static String word(SimulationState.Row row) {
    if (row.checks().isEmpty()) {
      return row.scenario().meaning();
    }
    return row.checks().stream().allMatch(Check::held) ? "as expected" : "NOT AS EXPECTED";
  }
}
