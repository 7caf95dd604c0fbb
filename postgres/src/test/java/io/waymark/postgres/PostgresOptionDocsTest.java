package io.waymark.postgres;

import io.waymark.core.OptionDocs;
import io.waymark.testing.GeneratedPage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keeps the page about options and the options the same. */
class PostgresOptionDocsTest {
  private static final String BEFORE =
      """
      # Options of the PostgreSQL data source

      <!-- Made from PostgresOption by PostgresOptionDocsTest: change the options, not this page. -->

      Every option can be given in the typed builder or as text, by the paths below:

      ```java
      WaymarkDataSource.builder().properties(Map.of(
          "primary", "jdbc:postgresql://db-a/app",
          "replicas[0].url", "jdbc:postgresql://db-b/app",
          "routing.maxLag", "5s"));
      ```

      A value that cannot be used is refused before anything is opened, with code WM1120 and a
      message that names the option, shows the value unless it may be a secret, and says what is
      accepted. So is a key that is no option. White space around a value is ignored, except in a
      password. Durations are a number and `ms`, `s` or `m`, sizes a number and `B`, `KB`, `MB` or
      `GB` with steps of 1024; fractions are allowed. Only the builder has `onRoute`, `ticker`,
      `random`, a function for `select`, a supplier for `password`, a `DataSource` for `single`, and
      `pool`, which sets what else is to be set on each HikariCP pool. [Drivers and
      pools](drivers-and-pools.md) has more on `properties`, `pool`, `pooler` and the driver's URL.

      """;

  @Test
  void thePageIsUpToDate() throws IOException {
    GeneratedPage.assertUpToDate(
        "options.md", BEFORE + OptionDocs.markdown(List.of(PostgresOption.values()), 2));
  }
}
