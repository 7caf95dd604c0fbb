package io.waymark.cli;

import io.waymark.cli.stores.CoordinatorDatabase;
import io.waymark.cli.stores.PublishedStore;
import io.waymark.coordinator.StateChannel;
import io.waymark.coordinator.TopologyCoordinator;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.MemberState;
import io.waymark.topology.Published;
import io.waymark.topology.SnapshotCodec;
import io.waymark.topology.SnapshotReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code waymark topology show}: one group, and what has not arrived yet. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Shows a group: its members, and what has not arrived yet.",
    description = {
      "",
      "With --database: the members as they are committed, whether the group is published, and"
          + " which member has not got which state. With --store: what readers find. With both:"
          + " both.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  the group is there; what the database has is published and has arrived",
      "  1  it is not, something is pending, or the store holds something else",
      "  2  wrong use",
      "",
      "Example:",
      "  waymark topology show acme --database jdbc:postgresql://db/topology --user ops"
    })
final class TopologyShowCommand implements Callable<Integer> {
  private static final long READ_SECONDS = 10;

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Parameters(paramLabel = "GROUP", description = "The group's name.")
  private String group = "";

  @CommandLine.Mixin private DatabaseOptions database = new DatabaseOptions();
  @CommandLine.Mixin private StoreOptions store = new StoreOptions();

  @Option(names = "--values", description = "Also show the values of states, which may be secret.")
  private boolean values;

  @Option(names = "--json", description = "JSON instead of tables.")
  private boolean json;

  TopologyShowCommand() {}

  /**
   * A state at one member in JSON.
   *
   * @param delivery whether the newest value has arrived there
   */
  record Arrival(String member, Standing delivery) {}

  /**
   * A state in JSON.
   *
   * @param members who gets it: {@code write} or {@code read}
   * @param value null unless it was asked for
   */
  record State(String name, String members, @Nullable JsonNode value, List<Arrival> deliveries) {}

  /**
   * A group in JSON.
   *
   * @param stamp in the database; null if that was not asked
   * @param members in the database, or in the store if only that was asked
   * @param publication null if the database was not asked
   * @param stored the stamp in the store; null if it is not there, or was not asked
   * @param difference between the two in words; null for none, or if only one was asked
   */
  record Report(
      String group,
      @Nullable String stamp,
      List<MemberRow> members,
      @Nullable Standing publication,
      List<State> states,
      @Nullable String stored,
      @Nullable String difference) {}

  @Override
  public Integer call() throws Exception {
    CoordinatorDatabase found = database.find();
    try (PublishedStore published = store.find(database.login())) {
      if (found == null && published == null) {
        throw new OptionException(
            "--database or --store is missing. Accepted: where the group is kept, where it is"
                + " published, or both.");
      }
      Published stored = published == null ? null : stored(published);
      Report report =
          found == null ? ofStore(stored) : ofDatabase(found, published != null, stored);
      show(report);
      return isSettled(report) ? ExitStatus.HELD : ExitStatus.NOT_HELD;
    }
  }

  private @Nullable Published stored(PublishedStore published)
      throws IOException, InterruptedException {
    try (SnapshotReader reader = published.reader()) {
      Optional<String> text =
          reader.read(group).toCompletableFuture().get(READ_SECONDS, TimeUnit.SECONDS);
      return text.map(encoded -> SnapshotCodec.decode(group, encoded)).orElse(null);
    } catch (TimeoutException e) {
      throw new IOException("the store did not answer within " + READ_SECONDS + " s", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException("the store cannot be read: " + Failure.oneLine(cause), e);
    }
  }

  private Report ofStore(@Nullable Published stored) {
    if (stored == null) {
      throw new Refusal(
          "the store holds no group "
              + OptionText.quote(group)
              + ": is the name right (waymark topology list --store …), and does its coordinator"
              + " publish here?");
    }
    if (!(stored instanceof GroupSnapshot snapshot)) {
      throw new Refusal(
          "group " + OptionText.quote(group) + " was deleted, as " + stored.stamp() + " says");
    }
    return new Report(
        group, null, MemberRow.of(snapshot), null, List.of(), snapshot.stamp().toString(), null);
  }

  private Report ofDatabase(CoordinatorDatabase found, boolean compared, @Nullable Published stored)
      throws SQLException {
    List<StateChannel<JsonNode>> channels = values ? channels(found) : List.of();
    try (OpenTopology topology = OpenTopology.open(found, channels, null, Duration.ZERO)) {
      TopologyCoordinator coordinator = topology.coordinator();
      GroupSnapshot snapshot =
          coordinator.snapshot(group).orElseThrow(() -> topology.missing(group));
      Map<String, JsonNode> known = new HashMap<>();
      channels.forEach(
          each -> coordinator.state(group, each).ifPresent(value -> known.put(each.name(), value)));
      return new Report(
          group,
          snapshot.stamp().toString(),
          MemberRow.of(snapshot),
          Standing.of(coordinator.publication(group)),
          states(coordinator, snapshot, known),
          stored == null ? null : stored.stamp().toString(),
          compared
              ? TopologyListCommand.difference(
                  snapshot.stamp(), stored == null ? null : stored.stamp())
              : null);
    }
  }

  /** A coordinator gives values of the channels that it was built with, and no others. */
  private List<StateChannel<JsonNode>> channels(CoordinatorDatabase found) throws SQLException {
    List<StateChannel<JsonNode>> channels = new ArrayList<>();
    try (OpenTopology topology = OpenTopology.open(found)) {
      topology
          .coordinator()
          .states(group)
          .forEach((name, role) -> channels.add(OpenTopology.state(name, role)));
    }
    return channels;
  }

  private List<State> states(
      TopologyCoordinator coordinator, GroupSnapshot snapshot, Map<String, JsonNode> known) {
    List<State> states = new ArrayList<>();
    for (Map.Entry<String, MemberRole> each : coordinator.states(group).entrySet()) {
      StateChannel<JsonNode> channel = OpenTopology.state(each.getKey(), each.getValue());
      List<Arrival> arrivals = new ArrayList<>();
      for (Member member : snapshot.members()) {
        Standing delivery = Standing.of(coordinator.delivery(channel, group, member.id()));
        if (each.getValue().includes(member.state())
            || (member.state() == MemberState.JOINING && delivery.pending())) {
          arrivals.add(new Arrival(member.id(), delivery));
        }
      }
      states.add(
          new State(
              each.getKey(),
              OptionText.word(each.getValue()),
              known.get(each.getKey()),
              List.copyOf(arrivals)));
    }
    return states;
  }

  private static boolean isSettled(Report report) {
    return report.difference() == null
        && (report.publication() == null || !report.publication().pending())
        && report.states().stream()
            .flatMap(state -> state.deliveries().stream())
            .noneMatch(each -> each.delivery().pending());
  }

  private void show(Report report) throws IOException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (json) {
      JsonFile.stdout().write(report, out);
      return;
    }
    if (report.stamp() != null) {
      out.println("group      " + report.group() + ", stamp " + report.stamp());
      out.println(
          "published  " + (report.publication() == null ? "-" : report.publication().text("yes")));
    } else {
      out.println("group      " + report.group());
    }
    if (report.stored() != null || report.difference() != null) {
      out.println(
          "store      "
              + Objects.toString(report.stored(), "nothing")
              + (report.difference() == null ? "" : ": " + report.difference()));
    }
    out.println();
    MemberRow.table(report.members()).lines().forEach(out::println);
    if (!report.states().isEmpty()) {
      out.println();
      states(report).lines().forEach(out::println);
    }
  }

  private static Table states(Report report) {
    Table table = new Table("state", "for", "member", "newest value");
    for (State state : report.states()) {
      if (state.value() != null) {
        table.row(state.name(), state.members(), "-", state.value().toString());
      }
      for (Arrival each : state.deliveries()) {
        table.row(state.name(), state.members(), each.member(), each.delivery().text("arrived"));
      }
      if (state.deliveries().isEmpty()) {
        table.row(state.name(), state.members(), "-", "no member is to get it");
      }
    }
    return table;
  }
}
