package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.SchemaMode;
import io.waymark.durable.DurableStore;
import io.waymark.topology.Member;
import io.waymark.topology.MemorySnapshots;
import io.waymark.topology.SnapshotPublisher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A role with the rights that the page asks for, and no others. */
class PostgresRightsTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/coordinator.md").normalize();

  private final PostgresDatabase database = new PostgresDatabase();
  private final String schema = database.url().substring(database.url().lastIndexOf('=') + 1);
  private final String role = "app_" + schema;

  @AfterEach
  void end() {
    database.execute("DROP OWNED BY " + role + "; DROP ROLE " + role);
    database.close();
  }

  @Test
  void aRoleWithTheRightsOfThePageCanDoEverything() throws IOException {
    makeTables();
    grant();
    StateChannel<Limits> limits =
        StateChannel.of("limits", Limits.class).deliver((member, update) -> {});
    try (DurableStore store = DurableStore.postgres(asRole()).schema(SchemaMode.VALIDATE).open();
        TopologyCoordinator topology =
            TopologyCoordinator.builder(store)
                .publisher(new MemorySnapshots().publisher())
                .state(limits)
                .confirmJoining(true)
                .removeWhenEmpty(Duration.ZERO)
                .build()) {
      UpdateResult created =
          topology.update(
              "acme",
              now ->
                  CoordinatorFixture.three(now)
                      .add(Member.joining("late"))
                      .set(limits, new Limits(1)));
      assertThat(created.published()).isTrue();
      topology.update("acme", now -> now.drain("acme-0").clear(limits));
      topology.reportEmpty("acme", "acme-0");
      topology.reportHolding("acme", "acme-0");
      assertThat(topology.raiseEpoch()).isEqualTo(2);
      assertThat(topology.delete("acme").changed()).isTrue();
    }
    Map<String, String> last = new ConcurrentHashMap<>();
    try (DurableStore store = DurableStore.postgres(asRole()).schema(SchemaMode.VALIDATE).open();
        TopologyCoordinator topology =
            TopologyCoordinator.builder(store)
                .publisher(SnapshotPublisher.overwriting(last::put))
                .build()) {
      assertThat(topology.update("over", CoordinatorFixture::three).published()).isTrue();
    }
  }

  private void makeTables() {
    try (DurableStore store = database.store().open();
        TopologyCoordinator owner = TopologyCoordinator.builder(store).leavePublishing().build()) {
      assertThat(owner.groups("", 1)).isEmpty();
    }
  }

  private void grant() throws IOException {
    database.execute("CREATE ROLE " + role + " LOGIN");
    database.execute("GRANT USAGE ON SCHEMA " + schema + " TO " + role);
    database.execute(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON " + schema + ".waymark_outbox TO " + role);
    database.execute("GRANT USAGE ON SEQUENCE " + schema + ".waymark_outbox_version TO " + role);
    database.execute("GRANT SELECT ON " + schema + ".waymark_schema TO " + role);
    String page = Files.readString(PAGE);
    String grants = page.substring(page.indexOf("```sql") + 6);
    database.execute(
        grants
            .substring(0, grants.indexOf("```"))
            .replace(" waymark.", " " + schema + ".")
            .replace("TO app;", "TO " + role + ";"));
  }

  private PGSimpleDataSource asRole() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(database.url());
    source.setUser(role);
    source.setPassword("");
    return source;
  }
}
