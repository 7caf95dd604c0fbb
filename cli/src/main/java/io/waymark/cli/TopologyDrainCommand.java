package io.waymark.cli;

import io.waymark.coordinator.GroupDraft;
import io.waymark.topology.MemberState;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waymark topology drain}: a member gets no new work. */
@Command(
    name = "drain",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Gives a member no new work; it is still read.",
    description = {
      "",
      "Readers take the member out of the write set as soon as they hear of it. It stays in the"
          + " read set until it is removed. Take it back with 'set GROUP MEMBER --state active'.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  waymark topology drain acme acme-1 --database jdbc:postgresql://db/topology")
final class TopologyDrainCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "GROUP", description = "The group's name.")
  private String group = "";

  @Parameters(index = "1", paramLabel = "MEMBER", description = "The member's id.")
  private String member = "";

  @Option(names = "--force", description = "Also if it is the last one that takes new work.")
  private boolean force;

  @CommandLine.Mixin private ChangeOptions change = new ChangeOptions();

  TopologyDrainCommand() {}

  @Override
  public Integer call() throws Exception {
    return change.change(
        group,
        List.of(),
        topology -> topology.coordinator().update(group, now -> drained(topology, now)),
        Objects.requireNonNull(spec).commandLine().getOut());
  }

  private GroupDraft drained(OpenTopology topology, GroupDraft now) {
    Guards.requireMember(topology, now, member);
    if (!force) {
      Guards.requireAnotherActive(now, member);
    }
    return Guards.state(now, member) == MemberState.DRAINING ? now : now.drain(member);
  }
}
