package io.waymark.cli;

import io.waymark.cli.queue.QueueCounts;
import io.waymark.cli.queue.QueueRun;
import io.waymark.cli.queue.QueueSettings;
import io.waymark.cli.queue.QueueState;
import io.waymark.core.OptionText;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waymark demo queue}: checks that no message is lost while processes are killed. */
@Command(
    name = "queue",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Checks that no accepted message is lost while all processes are killed.",
    description = {
      "",
      "Starts three hosts of six mailboxes, two producers, and a process for each of two targets."
          + " Producers push messages to the mailbox of their customer, mailboxes deliver each to both"
          + " targets, and processes are killed and paused at random. Producers and targets write"
          + " down what they have in files of their own, which are compared in the end.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  whatever was accepted is delivered to both targets, or in the dead letters because its",
      "     consumer refused it",
      "  1  something is lost, or the processes could not be run",
      "  2  wrong use",
      "",
      "Examples:",
      "  waymark demo queue",
      "  waymark demo queue --seconds 60 --seed 7 --json result.json",
      "  waymark demo queue --store sqlite"
    })
final class DemoQueueCommand implements Callable<Integer> {
  private static final CliOption STORE = new CliOption("--store", "\"postgres\" or \"sqlite\"");

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "WORD",
      defaultValue = "postgres",
      description = {
        "postgres: mailboxes in one PostgreSQL database; another host takes over those of one that",
        "died. sqlite: each host has files of its own. Default ${DEFAULT-VALUE}."
      })
  private String store = "";

  @CommandLine.Mixin private DemoOptions demo = new DemoOptions();

  DemoQueueCommand() {}

  @Override
  public Integer call() throws Exception {
    QueueSettings settings =
        new QueueSettings(
            demo.duration(),
            OptionText.choice(STORE, store, QueueSettings.Store.class),
            demo.seed());
    JsonFile json = demo.result().json();
    PrintWriter console = Objects.requireNonNull(spec).commandLine().getOut();
    PrintWriter out = ResultOptions.out(json, console);
    DemoOptions.quietLog();
    out.println(QueueLines.beginning(settings));
    out.flush();
    QueueCounts.Outcome outcome;
    try (QueueRun run = new QueueRun(settings)) {
      outcome =
          demo.result()
              .<QueueState, QueueCounts.Outcome>watch(
                  json, new QueueFrame(Bars.ofTerminal())::lines, new QueueLines(out), run::run);
    }
    QueueLines.ending(settings, outcome).forEach(out::println);
    out.flush();
    if (json != null) {
      json.write(QueueReport.of(settings, outcome), console);
    }
    return outcome.held() ? ExitStatus.HELD : ExitStatus.NOT_HELD;
  }
}
