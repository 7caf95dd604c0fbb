package io.waymark.cli;

import io.waymark.bench.peers.Bar;
import io.waymark.bench.peers.Chart;
import io.waymark.bench.peers.Contender;
import io.waymark.bench.peers.PeersRun;
import io.waymark.bench.peers.Plan;
import io.waymark.bench.peers.Standings;
import io.waymark.core.OptionException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waymark bench}: Waymark and its peers on real servers, side by side. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    versionProvider = Waymark.Version.class,
    sortOptions = false,
    header = "Compares Waymark with its peers on real servers.",
    description = {
      "",
      "Starts a PostgreSQL primary and two replicas for each contender and measures, in a JVM of its"
          + " own and next to HikariCP alone, what reads and writes cost; whether reads show the"
          + " writes before them while replicas do not replay; and what becomes of reads when one"
          + " replica is killed or falls silent.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  Waymark was not slower than the fastest peer, showed all writes, and no peer was ahead",
      "     of it when a replica went away",
      "  1  one of these did not hold, or could not be measured",
      "  2  wrong use",
      "",
      "Examples:",
      "  waymark bench",
      "  waymark bench --peer spring --peer pgjdbc --seconds 10 --rounds 5 --json result.json",
      "",
      "See 'waymark bench topology --help' for how fast changes of groups reach readers, and",
      "'waymark bench routing --help' for what it costs to choose a shard."
    })
final class BenchCommand implements Callable<Integer> {
  private static final CliOption SECONDS = CliOption.wholeNumber("--seconds", 1, 600);
  private static final CliOption ROUNDS = CliOption.wholeNumber("--rounds", 1, 100);
  private static final CliOption PEER =
      new CliOption(
          "--peer",
          Contender.peers().stream()
              .map(each -> "\"" + each.word() + "\"")
              .collect(Collectors.joining(", ")));
  private static final CliOption DISK =
      new CliOption("--disk", "a folder that exists, on the disk to be measured");
  private static final String CHART_FILE = "peers.svg";
  private static final int WARM_UPS = 20_000;
  private static final int OWN_WRITES = 200;
  private static final Duration LOAD = Duration.ofSeconds(8);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "How long each of the three timed calls is measured in a round; default 5.")
  private String seconds = "";

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often all of it is done, each time in new JVMs; default 3.")
  private String rounds = "";

  @Option(
      names = "--peer",
      paramLabel = "NAME",
      description = {
        "Only this peer; may be given several times:",
        "spring            a read-only pool over one replica",
        "spring-hosts      Spring over the driver's pools of several hosts",
        "pgjdbc            two pools of several hosts, chosen by hand",
        "aws-srw           the AWS wrapper's srw, without verification",
        "aws-srw-verified  the same with verification"
      })
  private List<String> peers = new ArrayList<>();

  @Option(
      names = "--disk",
      paramLabel = "FOLDER",
      description = "Keep the servers' data there and flush it, instead of in memory.")
  private @Nullable String disk;

  @Option(
      names = "--chart",
      paramLabel = "FILE",
      description = "Where the chart goes, an SVG file; default bench/target/peers.svg.")
  private @Nullable String chart;

  @CommandLine.Mixin private ResultOptions result = new ResultOptions();

  BenchCommand() {}

  @Override
  public Integer call() throws Exception {
    Plan plan =
        new Plan(
            WARM_UPS,
            Duration.ofSeconds(SECONDS.number(seconds, 1, 600)),
            OWN_WRITES,
            LOAD,
            PATIENCE,
            folder());
    int times = ROUNDS.number(rounds, 1, 100);
    List<Contender> contenders = contenders();
    JsonFile json = result.json();
    Path picture = ChartFile.of(chart, "bench", CHART_FILE);
    PrintWriter console = Objects.requireNonNull(spec).commandLine().getOut();
    PrintWriter out = ResultOptions.out(json, console);
    Standings standings = run(plan, times, contenders, out, json);
    List<Bar> bars = Bar.of(standings);
    out.println();
    BenchTables.lines(bars).forEach(out::println);
    Files.writeString(picture, Chart.svg(standings));
    out.println();
    out.println("Chart: " + picture);
    out.flush();
    if (json != null) {
      json.write(BenchReport.of(plan, times, standings, bars), console);
    }
    return bars.stream().allMatch(Bar::held) ? ExitStatus.HELD : ExitStatus.NOT_HELD;
  }

  private Standings run(
      Plan plan, int times, List<Contender> contenders, PrintWriter out, @Nullable JsonFile json)
      throws Exception {
    out.println(
        Text.many(contenders.size(), "contender")
            + ", "
            + Text.many(times, "round")
            + ": about "
            + Math.max(1, plan.usual().multipliedBy((long) times * contenders.size()).toMinutes())
            + " min");
    out.flush();
    try (LiveScreen screen = result.screen(json);
        PeersRun run = new PeersRun(plan, shown(screen, out, times))) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(run, screen), "waymark-bench-end"));
      Standings standings = run.run(contenders, times);
      show(BenchTables.lines(standings), screen, out);
      return standings;
    }
  }

  /**
   * Ctrl-C: the servers of the contender that runs go with its JVM, and the cursor is given back.
   */
  private static void end(PeersRun run, @Nullable LiveScreen screen) {
    run.close();
    if (screen != null) {
      screen.close();
    }
  }

  private static void show(List<String> lines, @Nullable LiveScreen screen, PrintWriter out) {
    if (screen == null) {
      out.println();
      lines.forEach(out::println);
    } else {
      screen.draw(lines);
    }
  }

  private static Consumer<PeersRun.Progress> shown(
      @Nullable LiveScreen screen, PrintWriter out, int times) {
    return progress -> {
      String turn =
          "round " + progress.round() + " of " + times + ": " + progress.contender().word();
      if (screen == null) {
        out.println(turn + progress.last().map(BenchTables::line).orElse(""));
        out.flush();
      } else {
        List<String> lines = new ArrayList<>(BenchTables.lines(progress.so()));
        lines.add("");
        lines.add(turn);
        show(lines, screen, out);
      }
    };
  }

  private List<Contender> contenders() {
    List<Contender> chosen = new ArrayList<>(List.of(Contender.WAYMARK));
    for (Contender peer : Contender.peers()) {
      if (peers.isEmpty() || peers.contains(peer.word())) {
        chosen.add(peer);
      }
    }
    for (String word : peers) {
      if (Contender.peers().stream().noneMatch(each -> each.word().equals(word))) {
        throw OptionException.refused(PEER, word, "there is no such peer");
      }
    }
    return chosen;
  }

  private Optional<Path> folder() {
    if (disk == null) {
      return Optional.empty();
    }
    Path folder = Path.of(disk);
    if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw OptionException.refused(DISK, disk, "it is no folder that can be written");
    }
    return Optional.of(folder);
  }
}
