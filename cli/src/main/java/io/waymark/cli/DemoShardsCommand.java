package io.waymark.cli;

import io.waymark.cli.shards.ShardsCounts;
import io.waymark.cli.shards.ShardsRun;
import io.waymark.cli.shards.ShardsSettings;
import io.waymark.cli.shards.ShardsState;
import io.waymark.core.OptionText;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waymark demo shards}: checks that nothing is lost while processes are killed. */
@Command(
    name = "shards",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Checks that a group of shards loses nothing while its processes are killed.",
    description = {
      "",
      "Starts coordinators, three members and three readers as processes of their own. Members and"
          + " limits of their group change all the time, while processes are killed and paused at"
          + " random. Each reader's belief is shown; in the end everything that a coordinator"
          + " acknowledged must be there, and all must have the newest.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  no acknowledged change was lost, no reader and no member went back, and all ended with",
      "     the newest",
      "  1  one of this did not hold, or the processes could not be run",
      "  2  wrong use",
      "",
      "Examples:",
      "  waymark demo shards",
      "  waymark demo shards --seconds 60 --seed 7 --json result.json",
      "  waymark demo shards --store sqlite"
    })
final class DemoShardsCommand implements Callable<Integer> {
  private static final CliOption STORE = new CliOption("--store", "\"postgres\" or \"sqlite\"");

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "WORD",
      defaultValue = "postgres",
      description = {
        "postgres: two coordinators over one PostgreSQL database, which is also where the group is",
        "published. sqlite: one coordinator over a file, the group is published in a directory.",
        "Default ${DEFAULT-VALUE}."
      })
  private String store = "";

  @CommandLine.Mixin private DemoOptions demo = new DemoOptions();

  DemoShardsCommand() {}

  @Override
  public Integer call() throws Exception {
    ShardsSettings settings =
        new ShardsSettings(
            demo.duration(),
            OptionText.choice(STORE, store, ShardsSettings.Store.class),
            demo.seed());
    JsonFile json = demo.result().json();
    PrintWriter console = Objects.requireNonNull(spec).commandLine().getOut();
    PrintWriter out = ResultOptions.out(json, console);
    DemoOptions.quietLog();
    out.println(ShardsLines.beginning(settings));
    out.flush();
    ShardsCounts.Outcome outcome;
    try (ShardsRun run = new ShardsRun(settings)) {
      outcome =
          demo.result()
              .<ShardsState, ShardsCounts.Outcome>watch(
                  json, new ShardsFrame(Bars.ofTerminal())::lines, new ShardsLines(out), run::run);
    }
    ShardsLines.ending(settings, outcome).forEach(out::println);
    out.flush();
    if (json != null) {
      json.write(ShardsReport.of(settings, outcome), console);
    }
    return outcome.held() ? ExitStatus.HELD : ExitStatus.NOT_HELD;
  }
}
