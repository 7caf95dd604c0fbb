package io.waymark.cli;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waymark topology delete}: a group is gone. */
@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Deletes a group with its states; readers find that it was deleted.",
    description = {
      "",
      "Versions count on if the group is created again, so that what readers have kept is older.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  waymark topology delete acme --yes --database jdbc:postgresql://db/topology")
final class TopologyDeleteCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "GROUP", description = "The group's name.")
  private String group = "";

  @Option(names = "--yes", description = "That it is meant; without it nothing is done.")
  private boolean yes;

  @CommandLine.Mixin private ChangeOptions change = new ChangeOptions();

  TopologyDeleteCommand() {}

  @Override
  public Integer call() throws Exception {
    return change.change(
        group,
        List.of(),
        topology -> {
          int members =
              topology
                  .coordinator()
                  .snapshot(group)
                  .orElseThrow(() -> topology.missing(group))
                  .members()
                  .size();
          if (!yes) {
            throw new Refusal(
                "this deletes group "
                    + group
                    + " with "
                    + Text.many(members, "member")
                    + ", and nobody finds them any more. If that is meant, say --yes.");
          }
          return topology.coordinator().delete(group);
        },
        Objects.requireNonNull(spec).commandLine().getOut());
  }
}
