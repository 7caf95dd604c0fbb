package io.waymark.cli;

import io.waymark.bench.topology.Quantiles;
import io.waymark.bench.topology.TopologyContender;
import io.waymark.bench.topology.TopologyPlan;
import io.waymark.bench.topology.TopologyResult;
import io.waymark.bench.topology.TopologyRun;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
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

/** {@code waymark bench topology}: how fast changes of groups reach readers. */
@Command(
    name = "topology",
    mixinStandardHelpOptions = true,
    versionProvider = Waymark.Version.class,
    sortOptions = false,
    header = "Compares how fast changes of groups reach readers.",
    description = {
      "",
      "For each contender, in a JVM and with servers of its own on loopback that do not flush: first"
          + " changes one group again and again, each time that all readers have the change before;"
          + " then lets several threads change other groups as fast as they can, while the readers"
          + " stay.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  every contender has a result",
      "  1  one has none",
      "  2  wrong use",
      "",
      "Examples:",
      "  waymark bench topology",
      "  waymark bench topology --contender etcd --contender waymark-etcd --json result.json"
    })
final class TopologyBenchCommand implements Callable<Integer> {
  private static final CliOption SECONDS =
      new CliOption("--seconds", "a whole number from 1 to 600");
  private static final CliOption READERS =
      new CliOption("--readers", "a whole number from 1 to 100");
  private static final CliOption CONTENDER =
      new CliOption(
          "--contender",
          Arrays.stream(TopologyContender.values())
              .map(each -> "\"" + each.word() + "\"")
              .collect(Collectors.joining(", ")));
  private static final int WRITERS = 8;
  private static final int GROUPS = 64;
  private static final Duration WARM_UP = Duration.ofSeconds(5);

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description = "How long each of the two parts is measured; default 10.")
  private String seconds = "";

  @Option(
      names = "--readers",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many readers follow the group; default 100.")
  private String readers = "";

  @Option(
      names = "--contender",
      paramLabel = "NAME",
      description = {
        "Only this one; may be given several times:",
        "waymark-postgres  coordinator on PostgreSQL, published in the same",
        "waymark-redis     coordinator on PostgreSQL, published in Redis",
        "waymark-etcd      coordinator on PostgreSQL, published in etcd",
        "etcd              put and watch by jetcd",
        "zookeeper         setData and a persistent watch"
      })
  private List<String> contenders = new ArrayList<>();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the result as JSON; - for stdout, and then nothing else.")
  private @Nullable String json;

  TopologyBenchCommand() {}

  /**
   * The result in JSON. The names are a contract with scripts.
   *
   * @param plan what can be repeated
   * @param javaVersion such as {@code 17.0.15}
   * @param processors of the machine
   * @param results in the order in which they ran
   */
  record Report(
      TopologyPlan plan, String javaVersion, int processors, List<TopologyResult> results) {}

  @Override
  public Integer call() throws Exception {
    TopologyPlan plan =
        new TopologyPlan(
            number(READERS, readers, 100),
            WRITERS,
            GROUPS,
            WARM_UP,
            Duration.ofSeconds(number(SECONDS, seconds, 600)));
    List<TopologyContender> chosen = chosen();
    JsonFile file = json == null ? null : JsonFile.of(json);
    PrintWriter console = Objects.requireNonNull(spec).commandLine().getOut();
    PrintWriter out =
        file != null && file.isStdout() ? new PrintWriter(PrintWriter.nullWriter()) : console;
    List<TopologyResult> results = run(plan, chosen, out);
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

  private static List<TopologyResult> run(
      TopologyPlan plan, List<TopologyContender> chosen, PrintWriter out) throws Exception {
    long usual = plan.usual().multipliedBy(chosen.size()).toSeconds();
    out.println(Text.many(chosen.size(), "contender") + ": about " + usual + " s");
    out.flush();
    try (TopologyRun run =
        new TopologyRun(
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
  static List<String> lines(List<TopologyResult> results) {
    Table table =
        new Table("", "updates/s", "commit to last p50", "p99", "call to last p50", "p99");
    List<String> broken = new ArrayList<>();
    for (TopologyResult result : results) {
      if (result.broken() == null) {
        table.row(
            result.contender(),
            String.format(Locale.ROOT, "%.0f", result.updatesPerSecond()),
            millis(result.commitToLastMillis(), true),
            millis(result.commitToLastMillis(), false),
            millis(result.callToLastMillis(), true),
            millis(result.callToLastMillis(), false));
      } else {
        broken.add(result.contender() + " has no result: " + result.broken());
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.addAll(broken);
    return lines;
  }

  private static String millis(@Nullable Quantiles quantiles, boolean median) {
    return quantiles == null
        ? ""
        : String.format(Locale.ROOT, "%.1f ms", median ? quantiles.p50() : quantiles.p99());
  }

  private List<TopologyContender> chosen() {
    for (String word : contenders) {
      if (Arrays.stream(TopologyContender.values()).noneMatch(each -> each.word().equals(word))) {
        throw OptionException.refused(CONTENDER, word, "there is no such contender");
      }
    }
    return Arrays.stream(TopologyContender.values())
        .filter(each -> contenders.isEmpty() || contenders.contains(each.word()))
        .toList();
  }

  private static int number(CliOption option, String text, int most) {
    int number = OptionText.positiveInt(option, text);
    if (number > most) {
      throw OptionException.refused(option, text, "it is too large");
    }
    return number;
  }
}
