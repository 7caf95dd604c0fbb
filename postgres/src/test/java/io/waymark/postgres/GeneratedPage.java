package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keeps a page of the documentation and the code that it is made from the same. */
final class GeneratedPage {
  private static final Path DOCS =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs").normalize();

  private GeneratedPage() {}

  /**
   * Fails when the page is not what it should be; writes it with {@code -Dwaymark.docs.write=true}.
   */
  static void assertUpToDate(String name, String expected) throws IOException {
    Path page = DOCS.resolve(name);
    if (Boolean.getBoolean("waymark.docs.write")) {
      Files.writeString(page, expected);
    }
    assertThat(Files.exists(page) ? Files.readString(page) : "")
        .as(
            "docs/%s is out of date; write it again with: mvn -pl postgres -am verify"
                + " -Dtest='Postgres*DocsTest' -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dwaymark.docs.write=true",
            name)
        .isEqualTo(expected);
  }
}
