package io.waymark.postgres;

import io.waymark.core.OptionException;
import io.waymark.testing.GeneratedPage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Keeps the page about errors and the errors the same. */
class PostgresErrorDocsTest {
  private static final String BEFORE =
      """
      # Errors of the PostgreSQL data source

      <!-- Made from PostgresError by PostgresErrorDocsTest: change the errors, not this page. -->

      A code stands at the start of the message and never changes its meaning. Errors of the JDBC data
      source are `SQLException`s; the number without `WM` is the vendor code. Bad options are
      `IllegalArgumentException`s. Errors of the server and of the driver pass through as they are.

      Of the other products: [the coordinator](coordinator.md#errors), [the durable
      store](durable-store.md#errors), [readers and members](topology-errors.md).

      "Safe to retry" means that the same call may be sent again without anything being done twice.

      | Code | SQLSTATE | Meaning | Safe to retry | What to do |
      | --- | --- | --- | --- | --- |
      """;

  @Test
  void thePageIsUpToDate() throws IOException {
    StringBuilder page = new StringBuilder(BEFORE);
    row(
        page,
        OptionException.CODE,
        "–",
        "An option cannot be used. Nothing was opened.",
        "no",
        "The message names the option and says what is accepted: see [options](options.md).");
    for (PostgresError error : PostgresError.values()) {
      row(
          page,
          error.code(),
          "`" + error.sqlState() + "`",
          error.meaning(),
          error.safeToRetry() ? "yes" : "no",
          error.remedy());
    }
    GeneratedPage.assertUpToDate("errors.md", page.toString());
  }

  private static void row(StringBuilder page, String... cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
