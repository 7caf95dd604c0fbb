package io.waymark.cli;

import io.waymark.cli.simulation.Findings;
import io.waymark.cli.simulation.Scenario;
import io.waymark.cli.simulation.SimulationChart;
import io.waymark.cli.simulation.SimulationSettings;
import io.waymark.cli.simulation.SimulationState;
import io.waymark.cli.simulation.Simulations;
import io.waymark.core.OptionText;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waymark demo routing}: compares the router's choices with theory, in simulations. */
@Command(
    name = "routing",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Compares how the router spreads load with what theory expects, in simulations.",
    description = {
      "",
      "Runs Waymark's own selectors and routing policies in virtual time: queues, load that is old"
          + " when it is read, members that are slow, that fail, that join, and a shard that is hot."
          + " Prints what came out beside what was to be expected, and draws it.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  everything was as expected",
      "  1  something was not",
      "  2  wrong use",
      "",
      "Examples:",
      "  waymark demo routing",
      "  waymark demo routing --scenario slowMembers --scenario staleBoards --seed 7",
      "  waymark demo routing --quick --json result.json --chart routing.svg"
    })
final class DemoRoutingCommand implements Callable<Integer> {
  private static final CliOption SCENARIO =
      new CliOption(
          "--scenario",
          Stream.of(Scenario.values())
              .map(each -> "\"" + OptionText.word(each) + "\"")
              .collect(Collectors.joining(", ")));
  private static final String CHART_FILE = "routing.svg";

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      description = {
        "Only this one; may be given several times: ballsIntoBins, supermarket, staleBoards,",
        "slowMembers, failingMembers, joiningMember, hotShard, subsetChurn, smallCases. Default all."
      })
  private List<String> scenarios = new ArrayList<>();

  @Option(
      names = "--quick",
      description = "A fifth of each, for a first look: chance alone may miss a bar.")
  private boolean quick;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Of every draw: the same seed gives the same numbers; default ${DEFAULT-VALUE}.")
  private String seed = "";

  @Option(
      names = "--chart",
      paramLabel = "FILE",
      description =
          "Where the chart goes, an SVG file; default cli/target/routing.svg, or routing.svg here.")
  private @Nullable String chart;

  @CommandLine.Mixin private ResultOptions result = new ResultOptions();

  DemoRoutingCommand() {}

  @Override
  public Integer call() throws Exception {
    SimulationSettings settings =
        new SimulationSettings(DemoOptions.seed(seed), quick, scenarios());
    JsonFile json = result.json();
    Path picture = ChartFile.of(chart, "cli", CHART_FILE);
    PrintWriter console = Objects.requireNonNull(spec).commandLine().getOut();
    PrintWriter out = ResultOptions.out(json, console);
    out.println(RoutingLines.beginning(settings));
    out.flush();
    Map<Scenario, Findings> findings =
        result.<SimulationState, Map<Scenario, Findings>>watch(
            json,
            new RoutingFrame(Bars.ofTerminal())::lines,
            new RoutingLines(out),
            watch -> Simulations.run(settings, watch));
    RoutingLines.ending(settings, findings).forEach(out::println);
    Files.writeString(picture, SimulationChart.svg(settings, findings));
    out.println();
    out.println("Chart: " + picture);
    out.flush();
    RoutingReport report = RoutingReport.of(settings, findings);
    if (json != null) {
      json.write(report, console);
    }
    return report.held() ? ExitStatus.HELD : ExitStatus.NOT_HELD;
  }

  private List<Scenario> scenarios() {
    if (scenarios.isEmpty()) {
      return List.of(Scenario.values());
    }
    TreeSet<Scenario> chosen = new TreeSet<>();
    for (String word : scenarios) {
      chosen.add(OptionText.choice(SCENARIO, word, Scenario.class));
    }
    return List.copyOf(chosen);
  }
}
