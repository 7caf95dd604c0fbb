package io.waymark.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.OptionDocs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Keeps the tables of the page about objects, and the options and errors, the same. */
class ObjectsDocsTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/objects.md").normalize();

  private static String errors() {
    return "| Code | Meaning | What to do |\n| --- | --- | --- |\n"
        + Arrays.stream(ObjectError.values())
            .map(e -> "| " + e.code() + " | " + e.meaning() + " | " + e.remedy() + " |\n")
            .collect(Collectors.joining());
  }

  @Test
  void theTablesAreUpToDate() throws IOException {
    String options = OptionDocs.markdown(ObjectOptions.ALL, 3);
    if (Boolean.getBoolean("waymark.docs.write")) {
      String page = Files.readString(PAGE);
      page = between(page, "before anything is opened.\n\n", "\n## Errors", options);
      page = between(page, "may be made again.\n\n", "\nWhat an object's", errors());
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE))
        .as("write them again with -Dwaymark.docs.write=true")
        .contains(options, errors());
  }

  private static String between(String page, String before, String after, String text) {
    int from = page.indexOf(before) + before.length();
    return page.substring(0, from) + text + page.substring(page.indexOf(after, from));
  }
}
