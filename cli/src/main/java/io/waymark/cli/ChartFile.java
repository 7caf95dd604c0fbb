package io.waymark.cli;

import io.waymark.core.OptionException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where {@code --chart} writes. */
final class ChartFile {
  private static final CliOption OPTION =
      new CliOption("--chart", "a file in a folder that exists, other than stdout");

  private ChartFile() {}

  /**
   * Checks the name before the work whose chart it is to hold is done.
   *
   * @param name as it was given; null takes the usual name in the build folder of a checkout, or
   *     here where there is none
   * @throws OptionException if nothing can be written there
   */
  static Path of(@Nullable String name, String module, String usual) {
    if (name == null) {
      Path folder = Path.of(module, "target");
      return (Files.isDirectory(folder) ? folder : Path.of("")).resolve(usual);
    }
    if (JsonFile.of(OPTION, name).isStdout()) {
      throw OptionException.refused(OPTION, name, "the table goes there");
    }
    return Path.of(name);
  }
}
