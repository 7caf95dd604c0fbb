package io.waymark.cli;

import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.postgres.Consistency;
import io.waymark.testing.postgres.PostgresCluster;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waymark demo postgres}: checks that reads see their session's writes, under trouble. */
@Command(
    name = "postgres",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Checks that reads see their session's writes while replicas lag and die.",
    description = {
      "",
      "Starts a PostgreSQL primary and replicas and runs sessions that write a row and read it back"
          + " through Waymark, while one replica lags and another is killed and started again."
          + " Every read is checked against what its own session has committed.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  no read was stale, and nothing failed",
      "  1  a read was stale or failed, a write failed, or the servers could not be run;",
      "     with --consistency eventual stale reads are to be expected, and this is their status",
      "  2  wrong use",
      "",
      "Examples:",
      "  waymark demo",
      "  waymark demo postgres --seconds 60 --lag 500ms --json result.json",
      "  waymark demo postgres --synchronous-commit off --idle-writer",
      "  waymark demo postgres --consistency eventual      (see the check fail)"
    })
final class DemoPostgresCommand implements Callable<Integer> {
  private static final CliOption SESSIONS = CliOption.wholeNumber("--sessions", 1, 1000);
  private static final CliOption REPLICAS = CliOption.wholeNumber("--replicas", 1, 9);
  private static final CliOption MAX = CliOption.wholeNumber("--max", 1, 80);
  private static final CliOption PG_VERSION = CliOption.wholeNumber("--pg-version", 15, 18);
  private static final CliOption LAG = duration("--lag");
  private static final CliOption THINK = duration("--think");
  private static final CliOption CONSISTENCY =
      new CliOption("--consistency", "\"session\" or \"eventual\"");
  private static final CliOption SYNCHRONOUS_COMMIT =
      new CliOption("--synchronous-commit", "\"on\" or \"off\"");
  private static final Duration LONGEST = Duration.ofMinutes(10);

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @CommandLine.Mixin private DemoOptions demo = new DemoOptions();

  @Option(
      names = "--sessions",
      paramLabel = "N",
      defaultValue = "16",
      description = "Sessions at the same time; default ${DEFAULT-VALUE}.")
  private String sessions = "";

  @Option(
      names = "--lag",
      paramLabel = "TIME",
      defaultValue = "200ms",
      description = "How late replica-1 applies commits; default ${DEFAULT-VALUE}.")
  private String lag = "";

  @Option(
      names = "--think",
      paramLabel = "TIME",
      defaultValue = "20ms",
      description = "Rest between two operations of a session; default ${DEFAULT-VALUE}.")
  private String think = "";

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Replicas, 1 to 9; a single one lags and is not killed; default ${DEFAULT-VALUE}.")
  private String replicas = "";

  @Option(
      names = "--consistency",
      paramLabel = "WORD",
      defaultValue = "session",
      description = "session or eventual; default ${DEFAULT-VALUE}.")
  private String consistency = "";

  @Option(
      names = "--synchronous-commit",
      paramLabel = "WORD",
      defaultValue = "on",
      description = {
        "on or off: whether a commit waits until its log is flushed. With off, what is committed",
        "is not where the log was flushed to; default ${DEFAULT-VALUE}."
      })
  private String synchronousCommit = "";

  @Option(
      names = "--idle-writer",
      description = {
        "Beside the sessions, keep a transaction open that has written and commits nothing, and",
        "writes one more row now and then. Its log lies between that of the sessions."
      })
  private boolean idleWriter;

  @Option(
      names = "--max",
      paramLabel = "N",
      defaultValue = "10",
      description = "Connections per endpoint; default ${DEFAULT-VALUE}.")
  private String max = "";

  @Option(
      names = "--pg-version",
      paramLabel = "N",
      description = "PostgreSQL 15 to 18; by default the bundled one.")
  private @Nullable String pgVersion;

  /** What {@code --synchronous-commit} takes. */
  private enum Commits {
    ON,
    OFF
  }

  DemoPostgresCommand() {}

  private static CliOption duration(String path) {
    return new CliOption(path, "a time up to 10 minutes, such as 200ms or 1.5s");
  }

  @Override
  public Integer call() throws Exception {
    DemoSettings settings = settings();
    JsonFile json = demo.result().json();
    PrintWriter console = Objects.requireNonNull(spec).commandLine().getOut();
    PrintWriter out = ResultOptions.out(json, console);
    DemoOptions.quietLog();
    try (DemoRun run = new DemoRun(settings)) {
      out.println(DemoSummary.beginning(settings));
      out.flush();
      PostgresCluster cluster = run.start();
      DemoFrame frame = new DemoFrame(Bars.ofTerminal());
      Tally.Counts counts =
          demo.result()
              .<DemoState, Tally.Counts>watch(
                  json, frame::lines, new DemoOutput(out), watch -> run.run(cluster, watch));
      DemoSummary.lines(settings, counts).forEach(out::println);
      out.flush();
      if (json != null) {
        json.write(DemoReport.of(settings, cluster.version(), counts), console);
      }
      return counts.held() ? ExitStatus.HELD : ExitStatus.NOT_HELD;
    }
  }

  private DemoSettings settings() {
    return new DemoSettings(
        demo.duration(),
        SESSIONS.number(sessions, 1, 1000),
        REPLICAS.number(replicas, 1, 9),
        MAX.number(max, 1, 80),
        pgVersion == null ? 0 : PG_VERSION.number(pgVersion, 15, 18),
        time(LAG, lag),
        time(THINK, think),
        OptionText.choice(CONSISTENCY, consistency, Consistency.class),
        OptionText.choice(SYNCHRONOUS_COMMIT, synchronousCommit, Commits.class) == Commits.ON,
        idleWriter,
        demo.seed());
  }

  private static Duration time(CliOption option, String text) {
    Duration time = OptionText.duration(option, text);
    if (time.compareTo(LONGEST) > 0) {
      throw OptionException.refused(option, text, "it is too long");
    }
    return time;
  }
}
