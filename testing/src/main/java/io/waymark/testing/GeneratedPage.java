package io.waymark.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps a page of documentation and the code that it is made from the same: a test gives the page
 * as it should be.
 */
public final class GeneratedPage {
  /** Set to {@code true}, the page is written instead of compared. */
  public static final String WRITE = "waymark.docs.write";

  private GeneratedPage() {}

  /**
   * Fails when the page is not what it should be; writes it with {@code -Dwaymark.docs.write=true}.
   *
   * @param page the file, in the folder {@code docs} beside the module that is tested
   * @param expected all of its text
   * @throws AssertionError if it is anything else
   * @throws IOException if it cannot be read or written
   */
  public static void assertUpToDate(String page, String expected) throws IOException {
    Path module = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize();
    Path file = module.resolve("../docs").normalize().resolve(page);
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(file, expected);
    }
    String found = Files.exists(file) ? Files.readString(file) : "";
    if (!found.equals(expected)) {
      throw new AssertionError(
          "docs/%s is out of date; write it again with: mvn -pl %s -am verify -Dtest='*DocsTest' -Dsurefire.failIfNoSpecifiedTests=false -D%s=true"
              .formatted(page, module.getFileName(), WRITE));
    }
  }
}
