package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.topology.Member;
import io.waymark.topology.MemberState;
import io.waymark.topology.SnapshotPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How PostgreSQL finds the rows of a change among those of many groups. */
class PostgresPlansTest {
  private static final int GROUPS = 20_000;
  private static final Pattern SCAN =
      Pattern.compile("Seq Scan on waymark_topology_(group|member|state|write)");

  private final PostgresDatabase database = new PostgresDatabase();

  /** A store that cannot be swept: a sweep would publish all groups. */
  private final Map<String, String> last = new ConcurrentHashMap<>();

  private final StatementTexts texts = new StatementTexts();

  @AfterEach
  void end() {
    database.close();
  }

  @Test
  void everyStatementOfAChangeFindsItsRowsByAnIndex() throws SQLException {
    StateChannel<Limits> limits =
        StateChannel.of("limits", Limits.class).deliver((member, update) -> {});
    try (var store = database.store(texts::watch).open();
        var topology =
            TopologyCoordinator.builder(store)
                .publisher(SnapshotPublisher.overwriting(last::put))
                .state(limits)
                .confirmJoining(true)
                .removeWhenEmpty(Duration.ZERO)
                .build()) {
      fill();
      texts.clear();

      topology.update(
          "acme",
          now ->
              CoordinatorFixture.three(now).add(Member.joining("late")).set(limits, new Limits(1)));
      topology.update("acme", now -> now.drain("acme-0").remove("acme-1").clear(limits));
      topology.reportEmpty("acme", "acme-0");
      topology.reportHolding("acme", "acme-0");
      topology.snapshot("acme");
      topology.groups("group-100", 100);
      topology.delete("acme");
    }

    assertThat(texts.all())
        .anyMatch(text -> text.startsWith("UPDATE waymark_topology_group SET epoch"));
    assertThat(scans()).isEmpty();
  }

  private void fill() {
    database.execute(
        "INSERT INTO waymark_topology_group (name, epoch, version, changes, deleted, takes_over,"
            + " members, joining, last_update)"
            + " SELECT 'group-' || i, 1, 1, 1, 0, 0, 1, 0, '' FROM generate_series(1, "
            + GROUPS
            + ") i");
    database.execute(
        "INSERT INTO waymark_topology_member (group_name, id, place, state, attributes)"
            + " SELECT 'group-' || i, 'one', 0, '"
            + MemberState.ACTIVE.text()
            + "', '{}' FROM generate_series(1, "
            + GROUPS
            + ") i");
    database.execute(
        "INSERT INTO waymark_topology_state (group_name, channel, role, value, set_at)"
            + " SELECT 'group-' || i, 'limits', 'write', '{}', 1 FROM generate_series(1, "
            + GROUPS
            + ") i");
    database.execute(
        "INSERT INTO waymark_topology_write (group_name, id, lands_until)"
            + " SELECT 'group-' || i, 'one', 0 FROM generate_series(1, "
            + GROUPS
            + ") i");
    database.execute("ANALYZE");
  }

  /** Plans that read a whole table of groups, members or states. */
  private Set<String> scans() throws SQLException {
    Set<String> found = new TreeSet<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = force_generic_plan");
      for (String text : texts.all()) {
        if (text.contains("waymark_topology_") && !text.contains("count(*)")) {
          explain(statement, text, found);
        }
      }
    }
    return found;
  }

  private static void explain(Statement statement, String text, Set<String> found)
      throws SQLException {
    int parameters = text.length() - text.replace("?", "").length();
    StringBuilder numbered = new StringBuilder(text);
    for (int i = 1; i <= parameters; i++) {
      int at = numbered.indexOf("?");
      numbered.replace(at, at + 1, "$" + i);
    }
    statement.execute("PREPARE looked AS " + numbered);
    String nulls = "NULL, ".repeat(parameters);
    try (var plan =
        statement.executeQuery(
            "EXPLAIN EXECUTE looked"
                + (parameters == 0 ? "" : "(" + nulls.substring(0, nulls.length() - 2) + ")"))) {
      while (plan.next()) {
        String line = plan.getString(1);
        if (SCAN.matcher(line).find()) {
          found.add(text + "\n  " + line.strip());
        }
      }
    }
    statement.execute("DEALLOCATE looked");
  }
}
