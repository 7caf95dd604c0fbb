package io.waymark.cli;

import io.waymark.coordinator.GroupDraft;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waymark topology remove}: a member leaves its group. */
@Command(
    name = "remove",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Takes a member out of its group: nobody reads it any more.",
    description = {
      "",
      "For a member that is drained and holds nothing that anybody needs. What was to be delivered"
          + " to it is taken back.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  waymark topology remove acme acme-1 --database jdbc:postgresql://db/topology")
final class TopologyRemoveCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "GROUP", description = "The group's name.")
  private String group = "";

  @Parameters(index = "1", paramLabel = "MEMBER", description = "The member's id.")
  private String member = "";

  @Option(names = "--force", description = "Also if it is active.")
  private boolean force;

  @CommandLine.Mixin private ChangeOptions change = new ChangeOptions();

  TopologyRemoveCommand() {}

  @Override
  public Integer call() throws Exception {
    return change.change(
        group,
        List.of(),
        topology -> topology.coordinator().update(group, now -> without(topology, now)),
        Objects.requireNonNull(spec).commandLine().getOut());
  }

  private GroupDraft without(OpenTopology topology, GroupDraft now) {
    Guards.requireMember(topology, now, member);
    if (now.members().size() == 1) {
      throw new Refusal(
          member
              + " is the only member of group "
              + group
              + ", and a group without members cannot be published. Add another one first, or"
              + " delete the group ('waymark topology delete "
              + group
              + " --yes').");
    }
    if (!force) {
      Guards.requireDrained(now, member);
    }
    return now.remove(member);
  }
}
