package io.waymark.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code waymark demo}: the demos by name. Without a name it is never run, see {@link Waymark}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "Runs a demo of its own; without a name, the one of PostgreSQL.",
    synopsisSubcommandLabel = "[postgres | shards | queue | routing]",
    subcommands = {
      DemoPostgresCommand.class,
      DemoShardsCommand.class,
      DemoQueueCommand.class,
      DemoRoutingCommand.class
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  waymark demo --seconds 60 --lag 200ms",
      "  waymark demo shards --store sqlite",
      "  waymark demo queue --seconds 60",
      "  waymark demo routing",
      "",
      "See 'waymark demo NAME --help'."
    })
final class DemoCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  DemoCommand() {}

  @Override
  public void run() {
    if (spec != null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "the name of a demo is missing. Accepted: postgres, shards, queue, routing.");
    }
  }
}
