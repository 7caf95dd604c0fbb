package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.OptionDocs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keeps the page about the coordinator's options and errors, and these, the same. */
class CoordinatorDocsTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/coordinator.md").normalize();

  private static final String BEFORE =
      """
      # The coordinator: options, rights, errors

      <!-- Made from CoordinatorOption and CoordinatorError by CoordinatorDocsTest: change these, not this page. -->

      What it promises, and how it works, stands in [its specification](spec/coordinator.md).

      ```java
      DurableStore store = DurableStore.sqlite(Path.of("topology.db")).open();
      StateChannel<Limits> limits = StateChannel.of("limits", Limits.class)
          .deliver((member, update) -> shards.get(member.id()).apply(update));
      TopologyCoordinator topology = TopologyCoordinator.builder(store)
          .publisher(DirectorySnapshots.in(folder).publisher())
          .state(limits)
          .properties(Map.of("publishWait", "2s", "confirmJoining", "on"))
          .build();

      UpdateResult result = topology.update("acme", now -> now
          .drain("acme-1")
          .add(Member.active("acme-3").with("endpoint", "https://10.0.0.7"))
          .set(limits, new Limits(100)));
      ```

      A value that cannot be used is refused with code WM1120 before anything is opened, and so is a
      key that is no option. Only the builder has `publisher`, `state`, `meters` and `onEvent`. Processes that
      share a database should be given the same options.

      """;

  private static final String CHANNEL =
      """

      ## Of a state channel

      `StateChannel.of(name, type)` has `members` (the write set by default), `attemptTimeout` (30 s),
      `concurrency` (8 members at once) and `backoff` (1 s, doubled to 5 min) of its own. A name is at
      most 64 lower-case letters, digits, dots, `_` and `-`.

      ## Rights on PostgreSQL

      Beside those of the [durable store](durable-store.md), a role that does not own the tables needs
      no more than this, here for a role `app` and tables in a schema `waymark`:

      ```sql
      GRANT SELECT, INSERT, UPDATE ON waymark.waymark_topology_authority TO app;
      GRANT SELECT, INSERT, UPDATE ON waymark.waymark_topology_group TO app;
      GRANT SELECT, INSERT, UPDATE, DELETE ON waymark.waymark_topology_member TO app;
      GRANT SELECT, INSERT, UPDATE, DELETE ON waymark.waymark_topology_state TO app;
      GRANT SELECT, INSERT, UPDATE, DELETE ON waymark.waymark_topology_write TO app;
      ```

      A failover that lost something is noticed at once where the role may also call
      `pg_control_system()` and `pg_current_wal_insert_lsn()`, as any role may unless that was taken
      away; else only when a store holds what the database never issued.

      ## Errors

      "Safe to retry" means that the same call may be made again without anything being done twice.

      | Code | Meaning | Safe to retry | What to do |
      | --- | --- | --- | --- |
      """;

  @Test
  void thePageIsUpToDate() throws IOException {
    StringBuilder page = new StringBuilder(BEFORE);
    page.append(OptionDocs.markdown(List.of(CoordinatorOption.values()), 2)).append(CHANNEL);
    for (CoordinatorError error : CoordinatorError.values()) {
      String again = error.safeToRetry() ? "yes" : "no";
      page.append("| ")
          .append(String.join(" | ", error.code(), error.meaning(), again, error.remedy()))
          .append(" |\n");
    }
    if (Boolean.getBoolean("waymark.docs.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE)
        .as("write it again with -Dwaymark.docs.write=true")
        .hasContent(page.toString());
  }
}
