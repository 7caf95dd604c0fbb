package io.waymark.cli;

import io.waymark.cli.stores.CoordinatorDatabase;
import io.waymark.cli.stores.PublishedStore;
import io.waymark.core.OptionException;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.TopologyClient;
import io.waymark.topology.TopologyUnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/** {@code waymark topology watch}: tells each change of some groups. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Tells each change of some groups, until Ctrl-C.",
    description = {
      "",
      "With --store: what readers get, as soon as they do. Else with --database: what is committed,"
          + " looked at twice a second. The first lines are what is there at the start.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  --seconds are over",
      "  1  where it should look cannot be used",
      "  2  wrong use",
      "",
      "Example:",
      "  waymark topology watch acme globex --store redis://cache:6379"
    })
final class TopologyWatchCommand implements Callable<Integer> {
  private static final CliOption SECONDS = CliOption.wholeNumber("--seconds", 1, 86_400);
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
  private static final JsonMapper JSON = new JsonMapper();
  private static final long LOOK_MILLIS = 500;
  private static final long FRESH_MILLIS = 20;

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "GROUP", description = "The groups' names.")
  private List<String> groups = List.of();

  @CommandLine.Mixin private StoreOptions store = new StoreOptions();
  @CommandLine.Mixin private DatabaseOptions database = new DatabaseOptions();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "End after so many seconds; default: never.")
  private @Nullable String seconds;

  @Option(names = "--json", description = "Each line a JSON object.")
  private boolean json;

  private final Map<String, String> told = new HashMap<>();

  TopologyWatchCommand() {}

  /**
   * A line in JSON.
   *
   * @param time of this machine
   * @param stamp null if there is no group
   * @param why there is none; null if there is one
   */
  record Change(
      String time,
      String group,
      @Nullable String stamp,
      List<MemberRow> members,
      @Nullable String why) {}

  @Override
  public Integer call() throws Exception {
    long end =
        seconds == null
            ? Long.MAX_VALUE
            : System.nanoTime() + Duration.ofSeconds(SECONDS.number(seconds, 1, 86_400)).toNanos();
    try (PublishedStore published = store.find(database.login())) {
      CoordinatorDatabase found = published == null ? database.find() : null;
      if (published != null) {
        watch(published, end);
      } else if (found != null) {
        watch(found, end);
      } else {
        throw new OptionException(
            "--store or --database is missing. Accepted: where groups are published, or where they"
                + " are kept.");
      }
    }
    return ExitStatus.HELD;
  }

  private void watch(PublishedStore published, long end) throws Exception {
    try (TopologyClient client =
        TopologyClient.builder(published.reader())
            .ttl(Duration.ofMillis(LOOK_MILLIS * 2))
            .negativeTtl(Duration.ofMillis(LOOK_MILLIS))
            .build()) {
      // A fresh snapshot is a look into memory: what the store pushes is told at once.
      look(group -> ofStore(client, group), FRESH_MILLIS, end);
    }
  }

  private void watch(CoordinatorDatabase found, long end) throws Exception {
    if (!found.isShared()) {
      throw new Refusal(
          "a SQLite file cannot be watched: as long as it is, its coordinator cannot run. Watch"
              + " what it publishes, with --store.");
    }
    try (OpenTopology topology = OpenTopology.open(found)) {
      look(
          group ->
              topology
                  .coordinator()
                  .snapshot(group)
                  .map(TopologyWatchCommand::there)
                  .orElse(absent(group, "there is no such group")),
          LOOK_MILLIS,
          end);
    }
  }

  private static Change ofStore(TopologyClient client, String group) {
    try {
      return there(client.get(group));
    } catch (TopologyUnavailableException e) {
      return absent(group, e.reason().text());
    }
  }

  private static Change there(GroupSnapshot snapshot) {
    return new Change(
        now(), snapshot.group(), snapshot.stamp().toString(), MemberRow.of(snapshot), null);
  }

  private static Change absent(String group, String why) {
    return new Change(now(), group, null, List.of(), why);
  }

  private static String now() {
    return LocalTime.now(ZoneId.systemDefault()).format(TIME);
  }

  private void look(Function<String, Change> state, long rest, long end)
      throws IOException, InterruptedException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    while (System.nanoTime() - end < 0) {
      for (String group : groups) {
        Change change = state.apply(group);
        String known = change.stamp() == null ? String.valueOf(change.why()) : change.stamp();
        if (!known.equals(told.put(group, known))) {
          out.println(json ? JSON.writeValueAsString(change) : line(change));
          out.flush();
        }
      }
      Thread.sleep(rest);
    }
  }

  private static String line(Change change) {
    return change.time()
        + "  "
        + change.group()
        + "  "
        + (change.stamp() == null
            ? "none: " + change.why()
            : change.stamp()
                + "  "
                + change.members().stream().map(MemberRow::text).collect(Collectors.joining(", ")));
  }
}
