package io.waymark.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code waymark topology}: groups of shards, for those who operate them. */
@Command(
    name = "topology",
    mixinStandardHelpOptions = true,
    header = "Looks at groups of shards and changes them.",
    description = {
      "",
      "Works on the database of a coordinator, beside the service that it belongs to: what is"
          + " changed there, the service publishes and delivers. What readers see can be looked at"
          + " where it is published.",
      ""
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      TopologyListCommand.class,
      TopologyShowCommand.class,
      TopologyWatchCommand.class,
      TopologySetCommand.class,
      TopologyDrainCommand.class,
      TopologyRemoveCommand.class,
      TopologyDeleteCommand.class,
      TopologyTakeOverCommand.class,
      TopologyRaiseEpochCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  export WAYMARK_DATABASE=jdbc:postgresql://db/topology WAYMARK_PASSWORD=...",
      "  waymark topology list --user ops",
      "  waymark topology show acme --user ops",
      "  waymark topology drain acme acme-1 --user ops",
      "  waymark topology watch acme --store redis://cache:6379",
      "",
      "Exit status: 0 done, and published; 1 not done, or not published yet; 2 wrong use."
    })
final class TopologyCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  TopologyCommand() {}

  @Override
  public void run() {
    if (spec != null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "a command is missing. Accepted: "
              + String.join(", ", spec.subcommands().keySet())
              + ".");
    }
  }
}
