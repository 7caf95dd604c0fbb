package io.waymark.cli;

import io.waymark.core.OptionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where passwords come from: a file, or the environment; never the command line. */
final class Passwords {
  private static final int LONGEST = 10_000;

  private Passwords() {}

  /**
   * A password.
   *
   * @param option that names the file
   * @param file null for none
   * @param variable of the environment, where no file is named
   * @return null for none
   */
  static @Nullable String read(CliOption option, @Nullable String file, String variable) {
    if (file == null) {
      return System.getenv(variable);
    }
    try {
      Path path = Path.of(file);
      if (Files.isRegularFile(path) && Files.size(path) <= LONGEST) {
        return Files.readString(path).replaceFirst("\\R\\z", "");
      }
    } catch (IOException | InvalidPathException e) {
      // It is not shown why: a message may quote the file.
    }
    throw OptionException.refused(option, file, "there is no such file that can be read");
  }
}
