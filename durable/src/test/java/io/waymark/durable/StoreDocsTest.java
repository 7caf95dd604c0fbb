package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.OptionDocs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Keeps the page about the options and errors of the durable store, and these, the same. */
class StoreDocsTest {
  static final Path PAGE =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/durable-store.md").normalize();

  private static final String BEFORE =
      """
      # The durable store: options, rights, errors

      <!-- Made from StoreOptions, FanoutOptions and StoreError by StoreDocsTest: change these, not this page. -->

      What it promises stands in [its specification](spec/durable.md).

      ```java
      DurableStore.sqlite(Path.of("topology.db")).open();
      DurableStore.postgres(dataSource).inSchema("app").listen(url, login).open();
      DurableStore.postgres(dataSource).properties(Map.of("schema", "none", "poll", "2s")).open();
      ```

      A value that cannot be used is refused with code WM1120 before anything is opened, and so is a
      key that is no option. Only the builder has `listen`, `ticker` and `random`.

      """;

  private static final String DELIVERIES =
      """

      ## Of a delivery

      Of each channel, in the builder: `deliver(channel, handler, options ->
      options.concurrency(1))`. The two waits are one `Backoff`.

      """;

  private static final String TARGETS =
      """

      ## Of a target of a fan-out

      Of each target, in the builder of a [fan-out](fanout.md): `deliver(target, handler, options ->
      options.batchSize(50))`. The two waits are one `Backoff`. `ackOnReturn()` has no value.

      """;

  private static final String RIGHTS =
      """

      ## Rights on PostgreSQL

      The role that opens the store with `schema` `create` needs `CREATE` on the schema that holds
      the tables. All others need no more than this, here for a role `app` and tables in a schema
      `waymark`:

      ```sql
      GRANT USAGE ON SCHEMA waymark TO app;
      GRANT SELECT, INSERT, UPDATE, DELETE ON waymark.waymark_outbox TO app;
      GRANT USAGE ON SEQUENCE waymark.waymark_outbox_version TO app;
      GRANT SELECT ON waymark.waymark_schema TO app;
      ```

      A fan-out needs these too:

      ```sql
      GRANT SELECT, INSERT, UPDATE, DELETE ON waymark.waymark_fanout, waymark.waymark_fanout_target,
        waymark.waymark_fanout_message, waymark.waymark_fanout_delivery,
        waymark.waymark_fanout_backlog TO app;
      ```

      The right to `waymark_schema` is for `schema` `create` and `validate` only; with `none` nothing is looked at.
      `LISTEN`, `NOTIFY` and the view `pg_locks`, which are used too, are open to everybody. What is
      built on the store, such as the coordinator, has tables of its own.

      ## Errors

      "Safe to retry" means that the same call may be made again without anything being done twice.

      | Code | Meaning | Safe to retry | What to do |
      | --- | --- | --- | --- |
      """;

  @Test
  void thePageIsUpToDate() throws IOException {
    StringBuilder page = new StringBuilder(BEFORE);
    page.append("## Of a store\n\n").append(OptionDocs.markdown(StoreOptions.OF_STORE, 3));
    page.append(DELIVERIES).append(OptionDocs.markdown(StoreOptions.OF_DELIVERY, 3));
    page.append(TARGETS).append(OptionDocs.markdown(FanoutOptions.OF_TARGET, 3)).append(RIGHTS);
    for (StoreError error : StoreError.values()) {
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
