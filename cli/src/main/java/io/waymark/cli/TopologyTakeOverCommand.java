package io.waymark.cli;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waymark topology take-over}: a group has moved to this coordinator. */
@Command(
    name = "take-over",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Replaces in the store what another authority published of a group.",
    description = {
      "",
      "Where a group has moved to this database's coordinator, and its former coordinator does not"
          + " publish it any more. Delete it there first: while two publish one group, readers go"
          + " back and forth.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  waymark topology take-over acme --yes --database jdbc:postgresql://db/topology")
final class TopologyTakeOverCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "GROUP", description = "The group's name.")
  private String group = "";

  @Option(names = "--yes", description = "That it is meant; without it nothing is done.")
  private boolean yes;

  @CommandLine.Mixin private ChangeOptions change = new ChangeOptions();

  TopologyTakeOverCommand() {}

  @Override
  public Integer call() throws Exception {
    return change.change(
        group,
        List.of(),
        topology -> {
          if (topology.coordinator().snapshot(group).isEmpty()) {
            throw topology.missing(group);
          }
          if (!yes) {
            throw new Refusal(
                "this replaces what another authority has published of group "
                    + group
                    + ". If its former coordinator does not publish it any more, say --yes.");
          }
          return topology.coordinator().takeOver(group);
        },
        Objects.requireNonNull(spec).commandLine().getOut());
  }
}
