package io.waymark.cli;

import io.waymark.cli.stores.CoordinatorDatabase;
import io.waymark.cli.stores.PublishedStore;
import io.waymark.coordinator.GroupSummary;
import io.waymark.coordinator.TopologyCoordinator;
import io.waymark.core.OptionException;
import io.waymark.durable.ItemStatus;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.Stamp;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waymark topology list}: all groups, and whether readers can see them as they are. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Lists groups, and whether readers can see them as they are.",
    description = {
      "",
      "With --database: the groups of a coordinator, and whether each is published. With --store:"
          + " what is published. With both: where the two differ.",
      ""
    },
    footerHeading = "%nExit status:%n",
    footer = {
      "  0  listed; with both, the store holds every group as the database has it",
      "  1  with both, it does not; or one of them cannot be read",
      "  2  wrong use",
      "",
      "Examples:",
      "  waymark topology list --database jdbc:postgresql://db/topology --user ops",
      "  waymark topology list --database topology.db --store /var/lib/app/published"
    })
final class TopologyListCommand implements Callable<Integer> {
  private static final CliOption LIMIT = CliOption.wholeNumber("--limit", 1, 10_000);

  @CommandLine.Spec private CommandLine.Model.@Nullable CommandSpec spec;

  @CommandLine.Mixin private DatabaseOptions database = new DatabaseOptions();
  @CommandLine.Mixin private StoreOptions store = new StoreOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "At most so many groups; default ${DEFAULT-VALUE}.")
  private String limit = "";

  @Option(
      names = "--after",
      paramLabel = "GROUP",
      defaultValue = "",
      description = "Go on behind this one, the last of the page before.")
  private String after = "";

  @Option(names = "--json", description = "JSON instead of the table.")
  private boolean json;

  TopologyListCommand() {}

  /**
   * A group in JSON.
   *
   * @param stamp in the database; null if it is not there
   * @param members null if the database does not have it
   * @param deleted null if the database does not have it
   * @param publication null if the database does not have it
   * @param stored the stamp in the store; null if it is not there, or the store was not asked
   * @param difference between the two in words; null for none, or if only one was asked
   */
  record Row(
      String group,
      @Nullable String stamp,
      @Nullable Integer members,
      @Nullable Boolean deleted,
      @Nullable Standing publication,
      @Nullable String stored,
      @Nullable String difference) {}

  /** All in JSON. */
  record Report(List<Row> groups) {}

  @Override
  public Integer call() throws Exception {
    int most = LIMIT.number(limit, 1, 10_000);
    CoordinatorDatabase found = database.find();
    List<Row> rows;
    try (PublishedStore published = store.find(database.login())) {
      if (found == null && published == null) {
        throw new OptionException(
            "--database or --store is missing. Accepted: where groups are kept, where they are"
                + " published, or both.");
      }
      Map<String, Stamp> stored = published == null ? null : stored(published);
      rows =
          found == null ? ofStore(Objects.requireNonNull(stored), most) : rows(found, stored, most);
    }
    show(rows, found != null);
    return rows.stream().allMatch(row -> row.difference() == null)
        ? ExitStatus.HELD
        : ExitStatus.NOT_HELD;
  }

  private Map<String, Stamp> stored(PublishedStore published) {
    Map<String, Stamp> stamps = new TreeMap<>();
    try (SnapshotPublisher publisher = published.publisher()) {
      publisher.sweep(
          (group, stamp) -> {
            if (group.compareTo(after) > 0) {
              stamps.put(group, stamp);
            }
          });
    }
    return stamps;
  }

  private static List<Row> ofStore(Map<String, Stamp> stored, int most) {
    return stored.entrySet().stream()
        .limit(most)
        .map(
            each ->
                new Row(each.getKey(), null, null, null, null, each.getValue().toString(), null))
        .toList();
  }

  private List<Row> rows(CoordinatorDatabase found, @Nullable Map<String, Stamp> stored, int most)
      throws SQLException {
    try (OpenTopology topology = OpenTopology.open(found)) {
      TopologyCoordinator coordinator = topology.coordinator();
      Map<String, ItemStatus> pending = new HashMap<>();
      coordinator.pendingPublications("", 10_000).forEach(each -> pending.put(each.key(), each));
      List<GroupSummary> page = coordinator.groups(after, most);
      List<Row> rows = new ArrayList<>();
      for (GroupSummary group : page) {
        rows.add(row(group, Optional.ofNullable(pending.get(group.name())), stored));
      }
      if (stored != null && page.size() < most) {
        page.forEach(group -> stored.remove(group.name()));
        stored.forEach((group, stamp) -> rows.add(orphan(group, stamp, coordinator.authority())));
      }
      return rows;
    }
  }

  private static Row row(
      GroupSummary group, Optional<ItemStatus> pending, @Nullable Map<String, Stamp> stored) {
    Stamp there = stored == null ? null : stored.get(group.name());
    return new Row(
        group.name(),
        group.stamp().toString(),
        group.members(),
        group.deleted(),
        Standing.of(pending),
        there == null ? null : there.toString(),
        stored == null ? null : difference(group.stamp(), there));
  }

  /** How the store differs; null if it does not. */
  static @Nullable String difference(Stamp own, @Nullable Stamp there) {
    if (there == null) {
      return "missing in the store";
    }
    if (there.equals(own)) {
      return null;
    }
    if (!there.isComparableTo(own)) {
      return "of another authority in the store";
    }
    return own.isNewerThan(there)
        ? "older in the store"
        : "newer in the store: this database never issued it";
  }

  private static Row orphan(String group, Stamp stamp, String authority) {
    return new Row(
        group,
        null,
        null,
        null,
        null,
        stamp.toString(),
        stamp.authority().equals(authority) ? "not in the database" : null);
  }

  private void show(List<Row> rows, boolean ofDatabase) throws IOException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (json) {
      JsonFile.stdout().write(new Report(rows), out);
      return;
    }
    Table table =
        ofDatabase
            ? new Table("group", "stamp", "members", "published", "store")
            : new Table("group", "stamp");
    for (Row row : rows) {
      if (ofDatabase) {
        table.row(
            row.group(), epochAndVersion(row.stamp()), members(row), published(row), stored(row));
      } else {
        table.row(row.group(), String.valueOf(row.stored()));
      }
    }
    table.lines().forEach(out::println);
    out.println();
    out.println(Text.many(rows.size(), "group") + ".");
  }

  /** Of the database's own stamps the authority is always the same one. */
  private static String epochAndVersion(@Nullable String stamp) {
    return stamp == null ? "-" : stamp.split("@", 2)[0];
  }

  private static String members(Row row) {
    return Boolean.TRUE.equals(row.deleted()) ? "deleted" : Objects.toString(row.members(), "-");
  }

  private static String published(Row row) {
    return row.publication() == null ? "-" : row.publication().text("yes");
  }

  private static String stored(Row row) {
    if (row.difference() != null) {
      return row.difference() + (row.stored() == null ? "" : " (" + row.stored() + ")");
    }
    return row.stored() == null
        ? "-"
        : row.stamp() == null ? "another authority's (" + row.stored() + ")" : "same";
  }
}
