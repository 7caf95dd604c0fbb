package io.waymark.cli;

import io.waymark.core.OptionException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Where {@code --json} writes: a file, or stdout for {@code -}. */
final class JsonFile {
  private static final CliOption OPTION =
      new CliOption("--json", "a file in a folder that exists, or - for stdout");
  private static final String STDOUT = "-";

  private final @Nullable Path file;

  private JsonFile(@Nullable Path file) {
    this.file = file;
  }

  /**
   * Checks the name before the work whose result it is to hold is done.
   *
   * @throws OptionException if nothing can be written there
   */
  static JsonFile of(String name) {
    return of(OPTION, name);
  }

  /** The same for another option. */
  static JsonFile of(CliOption option, String name) {
    if (name.equals(STDOUT)) {
      return new JsonFile(null);
    }
    Path file;
    try {
      file = Path.of(name);
    } catch (InvalidPathException e) {
      throw OptionException.refused(option, name, "it is not the name of a file");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (name.isEmpty() || Files.isDirectory(file)) {
      throw OptionException.refused(option, name, "it is a folder");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw OptionException.refused(option, name, "its folder does not exist");
    }
    if (!Files.isWritable(Files.exists(file) ? file : folder)) {
      throw OptionException.refused(option, name, "it cannot be written");
    }
    return new JsonFile(file);
  }

  /** The same as {@code -}. */
  static JsonFile stdout() {
    return new JsonFile(null);
  }

  /** Whether stdout belongs to the JSON text. */
  boolean isStdout() {
    return file == null;
  }

  void write(Object value, PrintWriter out) throws IOException {
    String text =
        JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(value);
    if (file == null) {
      out.println(text);
    } else {
      Files.writeString(file, text + System.lineSeparator());
    }
  }
}
