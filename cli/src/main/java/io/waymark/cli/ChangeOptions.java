package io.waymark.cli;

import io.waymark.cli.stores.CoordinatorDatabase;
import io.waymark.cli.stores.PublishedStore;
import io.waymark.coordinator.StateChannel;
import io.waymark.coordinator.TopologyCoordinator;
import io.waymark.coordinator.UpdateResult;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.topology.GroupSnapshot;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Changes a group, and tells whether readers see it. */
final class ChangeOptions {
  private static final CliOption WAIT =
      new CliOption("--wait", "a time up to 10 minutes, such as 10s");
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final long LOOK_MILLIS = 50;

  @Mixin private DatabaseOptions database = new DatabaseOptions();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "How long to wait until it is published; default ${DEFAULT-VALUE}.")
  private String wait = "";

  @Option(
      names = "--publish",
      description = {
        "Publish to --store from here, and do not leave it to the service: only where that does",
        "not run, and only to the store that it publishes to."
      })
  private boolean publish;

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(names = "--json", description = "JSON instead of text.")
  private boolean json;

  ChangeOptions() {}

  /**
   * What came of a change, in JSON.
   *
   * @param stamp null where no single group was changed
   * @param changed whether anything was changed
   * @param published whether readers find it
   * @param differences between before and after, for people
   * @param problem why it is not published, and what to do; null if it is
   */
  record Result(
      @Nullable String group,
      @Nullable String stamp,
      boolean changed,
      boolean published,
      List<String> differences,
      @Nullable String problem) {}

  /** Makes a change. */
  @FunctionalInterface
  interface Work {
    /** Makes it. What it throws is shown, and nothing is changed. */
    UpdateResult on(OpenTopology topology);
  }

  CoordinatorDatabase database() {
    return database.require();
  }

  Duration patience() {
    Duration time = OptionText.duration(WAIT, wait);
    if (time.compareTo(LONGEST) > 0) {
      throw OptionException.refused(WAIT, wait, "it is too long");
    }
    return time;
  }

  /**
   * Changes a group.
   *
   * @param states that are to be changed
   * @return the exit status
   */
  int change(String group, List<StateChannel<JsonNode>> states, Work work, PrintWriter out)
      throws Exception {
    CoordinatorDatabase found = database();
    Duration patience = patience();
    try (PublishedStore published = publish ? store.require(database.login()) : null) {
      GroupSnapshot before;
      GroupSnapshot after;
      UpdateResult result;
      Standing standing;
      boolean waits = published == null && found.isShared();
      try (OpenTopology topology =
          OpenTopology.open(found, states, null, waits ? patience : Duration.ZERO)) {
        TopologyCoordinator coordinator = topology.coordinator();
        before = coordinator.snapshot(group).orElse(null);
        result = work.on(topology);
        after = coordinator.snapshot(group).orElse(null);
        standing = Standing.of(coordinator.publication(group));
      }
      if (published != null) {
        standing = published(found, group, published, patience);
      }
      Result shown =
          new Result(
              group,
              result.stamp().toString(),
              result.changed(),
              !standing.pending(),
              differences(before, after),
              standing.pending() ? problem(standing, found.isShared(), patience) : null);
      show(shown, out);
      return shown.published() ? ExitStatus.HELD : ExitStatus.NOT_HELD;
    }
  }

  /** Publishes what is pending from here, and tells how the group stands then. */
  private static Standing published(
      CoordinatorDatabase found, String group, PublishedStore published, Duration patience)
      throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    try (OpenTopology topology =
        OpenTopology.open(found, List.of(), published.publisher(), Duration.ZERO)) {
      Standing standing = Standing.of(topology.coordinator().publication(group));
      while (standing.pending() && System.nanoTime() - deadline < 0) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        standing = Standing.of(topology.coordinator().publication(group));
      }
      return standing;
    }
  }

  private String problem(Standing standing, boolean shared, Duration patience) {
    String state = standing.text("");
    if (standing.error() != null || publish) {
      return "the store has not taken it ("
          + state
          + "). It goes on being tried; look at the store, and at 'waymark topology show'.";
    }
    return shared
        ? "no coordinator has taken it up within "
            + Text.duration(patience)
            + " ("
            + state
            + "): does the service run? It publishes as soon as it does. Where it cannot run,"
            + " publish from here: --publish --store WHERE."
        : "the coordinator publishes it when it is started again. Until then, publish from here:"
            + " --publish --store WHERE.";
  }

  /** Member by member, what is different. */
  static List<String> differences(@Nullable GroupSnapshot before, @Nullable GroupSnapshot after) {
    Map<String, MemberRow> old = new LinkedHashMap<>();
    if (before != null) {
      MemberRow.of(before).forEach(each -> old.put(each.id(), each));
    }
    List<String> differences = new ArrayList<>();
    if (after != null) {
      for (MemberRow member : MemberRow.of(after)) {
        MemberRow was = old.remove(member.id());
        if (was == null) {
          differences.add(member.id() + ": added, " + member.state());
        } else if (!was.state().equals(member.state())) {
          differences.add(member.id() + ": " + was.state() + " -> " + member.state());
        } else if (!was.equals(member)) {
          differences.add(
              member.id() + ": attributes " + was.attributes() + " -> " + member.attributes());
        }
      }
    }
    old.keySet().forEach(id -> differences.add(id + ": removed"));
    return differences;
  }

  void show(Result result, PrintWriter out) throws Exception {
    if (json) {
      JsonFile.stdout().write(result, out);
      return;
    }
    result.differences().forEach(out::println);
    String what =
        (result.group() == null ? "" : "group " + result.group() + " ")
            + (result.changed() ? "is changed" : "was as it should be, nothing is changed")
            + (result.stamp() == null ? "" : ", stamp " + result.stamp());
    out.println(what + "; " + (result.published() ? "published." : "NOT PUBLISHED YET:"));
    if (result.problem() != null) {
      out.println("  " + result.problem());
    }
  }
}
