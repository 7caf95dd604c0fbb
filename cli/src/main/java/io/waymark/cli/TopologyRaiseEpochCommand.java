package io.waymark.cli;

import io.waymark.cli.stores.CoordinatorDatabase;
import io.waymark.durable.ChannelBacklog;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code waymark topology raise-epoch}: whatever is issued from now on is newer than all before.
 */
@Command(
    name = "raise-epoch",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Makes all that is issued from now on newer than all that was issued before.",
    description = {
      "",
      "For a database that was restored from a backup, or lost its last commits, in a way that the"
          + " coordinator could not notice. The service then publishes all groups, and delivers all"
          + " states, anew: with many groups that takes a while.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  waymark topology raise-epoch --yes --database jdbc:postgresql://db/topology")
final class TopologyRaiseEpochCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Option(names = "--yes", description = "That it is meant; without it nothing is done.")
  private boolean yes;

  @CommandLine.Mixin private DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--json", description = "JSON instead of text.")
  private boolean json;

  TopologyRaiseEpochCommand() {}

  /** What came of it, in JSON. */
  record Result(long epoch, long pendingPublications) {}

  @Override
  public Integer call() throws Exception {
    CoordinatorDatabase found = database.require();
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    try (OpenTopology topology = OpenTopology.open(found)) {
      if (!yes) {
        throw new Refusal(
            "this publishes all groups, and delivers all states, anew. If a part of what was"
                + " committed may be lost, say --yes.");
      }
      long epoch = topology.coordinator().raiseEpoch();
      long pending =
          topology.coordinator().backlog().stream()
              .filter(each -> each.channel().equals("waymark.topology"))
              .mapToLong(ChannelBacklog::pending)
              .sum();
      if (json) {
        JsonFile.stdout().write(new Result(epoch, pending), out);
      } else {
        out.println("The epoch is " + epoch + ".");
        out.println(
            found.isShared()
                ? "The service publishes and delivers everything anew; 'waymark topology list'"
                    + " shows how far it is."
                : "The coordinator publishes and delivers everything anew when it is started.");
      }
    }
    return ExitStatus.HELD;
  }
}
