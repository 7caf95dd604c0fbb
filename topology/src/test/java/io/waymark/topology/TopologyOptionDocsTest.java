package io.waymark.topology;

import io.waymark.core.OptionDocs;
import io.waymark.core.OptionException;
import io.waymark.testing.GeneratedPage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keeps the pages about options and errors and the code the same. */
class TopologyOptionDocsTest {
  private static final String OPTIONS =
      """
      # Options of the topology client

      <!-- Made from TopologyOption by TopologyOptionDocsTest: change the options, not this page. -->

      Nothing has to be given. Every option can be given in the typed builder or as text, by the paths
      below:

      ```java
      TopologyClient.builder(reader).properties(Map.of(
          "ttl", "1m",
          "staleIfError", "10m"));
      ```

      A value that cannot be used is refused before anything is opened, with code WM1120 and a message
      that names the option, shows the value and says what is accepted. So is a key that is no option.
      Durations are a number and `ms`, `s` or `m`; fractions are allowed. Only the builder has `seed`,
      `fallback`, `onFallback`, `onChange`, `ticker` and `random`.

      """;

  private static final String ERRORS =
      """
      # Errors of topology

      <!-- Made from TopologyError by TopologyOptionDocsTest: change the errors, not this page. -->

      A code stands at the start of the message and never changes its meaning.

      "Safe to retry" means that the same call may be made again without anything being done twice.

      | Code | Meaning | Safe to retry | What to do |
      | --- | --- | --- | --- |
      """;

  @Test
  void thePageAboutOptionsIsUpToDate() throws IOException {
    GeneratedPage.assertUpToDate(
        "topology-options.md", OPTIONS + OptionDocs.markdown(List.of(TopologyOption.values()), 2));
  }

  @Test
  void thePageAboutErrorsIsUpToDate() throws IOException {
    StringBuilder page = new StringBuilder(ERRORS);
    row(
        page,
        OptionException.CODE,
        "An option cannot be used. Nothing was opened.",
        "no",
        "The message names the option and says what is accepted: see [options](topology-options.md).");
    for (TopologyError error : TopologyError.values()) {
      row(page, error.code(), error.meaning(), error.safeToRetry() ? "yes" : "no", error.remedy());
    }
    GeneratedPage.assertUpToDate("topology-errors.md", page.toString());
  }

  private static void row(StringBuilder page, String... cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
