package io.waymark.cli;

import io.waymark.bench.Median;
import io.waymark.bench.routing.RoutingContender;
import io.waymark.bench.routing.RoutingPlan;
import io.waymark.bench.routing.RoutingResult;
import io.waymark.bench.routing.RoutingRun;
import io.waymark.core.OptionException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waymark bench routing}: what it costs to choose a shard. */
@Command(
    name = "routing",
    mixinStandardHelpOptions = true,
    versionProvider = Waymark.Version.class,
    sortOptions = false,
    header = "Compares what it costs to choose a shard.",
    description = {
      "",
      "Each contender, in JVMs of its own, picks one of 16 and of 1000 members and releases it, by"
          + " turns with Waymark's default policy: on one thread, and on eight at once. What counts"
          + " is the median of the ratios of neighbouring turns.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  every contender has a result",
      "  1  one has none",
      "  2  wrong use",
      "",
      "Examples:",
      "  waymark bench routing",
      "  waymark bench routing --contender finagle-p2c --seconds 10 --json result.json"
    })
final class RoutingBenchCommand implements Callable<Integer> {
  private static final CliOption SECONDS = CliOption.wholeNumber("--seconds", 1, 600);
  private static final CliOption CONTENDER =
      new CliOption(
          "--contender",
          Arrays.stream(RoutingContender.values())
              .map(each -> "\"" + each.word() + "\"")
              .collect(Collectors.joining(", ")));
  private static final Duration WARM_UP = Duration.ofSeconds(3);

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "How long each comparison is measured; default 5.")
  private String seconds = "";

  @Option(
      names = "--contender",
      paramLabel = "NAME",
      description = {
        "Only this one; may be given several times:",
        "waymark            the default policy once more",
        "finagle-p2c        Finagle's two choices, by calls in flight",
        "finagle-peak-ewma  Finagle's two choices, by Peak EWMA"
      })
  private List<String> contenders = new ArrayList<>();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the result as JSON; - for stdout, and then nothing else.")
  private @Nullable String json;

  RoutingBenchCommand() {}

  /**
   * The result in JSON. The names are a contract with scripts.
   *
   * @param plan what can be repeated
   * @param javaVersion such as {@code 17.0.15}
   * @param processors of the machine
   * @param results in the order in which they ran
   */
  record Report(
      RoutingPlan plan, String javaVersion, int processors, List<RoutingResult> results) {}

  @Override
  public Integer call() throws Exception {
    RoutingPlan plan =
        new RoutingPlan(WARM_UP, Duration.ofSeconds(SECONDS.number(seconds, 1, 600)));
    List<RoutingContender> chosen = chosen();
    JsonFile file = json == null ? null : JsonFile.of(json);
    PrintWriter console = Objects.requireNonNull(spec).commandLine().getOut();
    PrintWriter out =
        file != null && file.isStdout() ? new PrintWriter(PrintWriter.nullWriter()) : console;
    List<RoutingResult> results = run(plan, chosen, out);
    out.println();
    lines(results).forEach(out::println);
    out.flush();
    if (file != null) {
      file.write(
          new Report(
              plan,
              System.getProperty("java.version"),
              Runtime.getRuntime().availableProcessors(),
              results),
          console);
    }
    return results.stream().allMatch(each -> each.broken() == null)
        ? ExitStatus.HELD
        : ExitStatus.NOT_HELD;
  }

  private static List<RoutingResult> run(
      RoutingPlan plan, List<RoutingContender> chosen, PrintWriter out) throws Exception {
    long usual =
        plan.usual().multipliedBy((long) chosen.size() * RoutingPlan.MEMBERS.size()).toSeconds();
    out.println(Text.many(chosen.size(), "contender") + ": about " + usual + " s");
    out.flush();
    try (RoutingRun run =
        new RoutingRun(
            plan,
            contender -> {
              out.println(contender.word() + ": " + contender.description());
              out.flush();
            })) {
      Runtime.getRuntime().addShutdownHook(new Thread(run::close, "waymark-bench-end"));
      return run.run(chosen);
    }
  }

  /** The results for people, in 100 columns. */
  static List<String> lines(List<RoutingResult> results) {
    Table table =
        new Table("", "members", "threads", "Waymark ns", "ns", "as long (95 %)", "Waymark B", "B");
    List<String> broken = new ArrayList<>();
    for (RoutingResult result : results) {
      if (result.broken() != null) {
        broken.add(
            result.contender()
                + " among "
                + result.members()
                + " has no result: "
                + result.broken());
      }
      for (RoutingResult.Figures figures : result.figures()) {
        boolean alone = figures.threads() == 1;
        table.row(
            result.contender(),
            Integer.toString(result.members()),
            Integer.toString(figures.threads()),
            nanos(figures.waymarkNanos()),
            nanos(figures.nanos()),
            ratio(figures.ratio()),
            alone ? bytes(figures.waymarkBytes()) : "",
            alone ? bytes(figures.bytes()) : "");
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.addAll(broken);
    return lines;
  }

  private static String nanos(Median median) {
    return String.format(Locale.ROOT, "%.1f", median.middle());
  }

  private static String ratio(Median median) {
    return String.format(
        Locale.ROOT, "%.2f (%.2f .. %.2f)", median.middle(), median.low(), median.high());
  }

  private static String bytes(double bytes) {
    return String.format(Locale.ROOT, "%.0f", bytes);
  }

  private List<RoutingContender> chosen() {
    for (String word : contenders) {
      if (Arrays.stream(RoutingContender.values()).noneMatch(each -> each.word().equals(word))) {
        throw OptionException.refused(CONTENDER, word, "there is no such contender");
      }
    }
    return Arrays.stream(RoutingContender.values())
        .filter(each -> contenders.isEmpty() || contenders.contains(each.word()))
        .toList();
  }
}
