package io.waymark.testing.postgres;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Server binaries on disk that can be run.
 *
 * @param bin the folder with {@code initdb} and {@code postgres}
 * @param version as the server tells it, such as {@code 18.6}
 * @param major the first number of the version
 */
record Installation(Path bin, String version, int major) {

  private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) ((\\d+)\\S*)");

  /** Asking a server for its version costs a process; the answer stays the same. */
  private static final Map<Path, Installation> KNOWN = new ConcurrentHashMap<>();

  /**
   * Looks at an installation.
   *
   * @param folder its {@code bin} folder, or the folder above it
   */
  static Installation at(Path folder) {
    Path bin = Files.isDirectory(folder.resolve("bin")) ? folder.resolve("bin") : folder;
    for (String program : List.of("initdb", "postgres")) {
      if (!Files.isExecutable(bin.resolve(program))) {
        throw new PostgresClusterException(
            "no PostgreSQL server in "
                + folder
                + ": there is no executable "
                + program
                + " in "
                + bin
                + ". Give the installation's bin folder, or the folder above it.");
      }
    }
    return KNOWN.computeIfAbsent(bin, Installation::ask);
  }

  private static Installation ask(Path bin) {
    Command.Result told = Command.run(List.of(bin.resolve("postgres").toString(), "--version"));
    Matcher matcher = VERSION.matcher(told.output());
    if (!told.ok() || !matcher.find()) {
      throw new PostgresClusterException(
          bin.resolve("postgres") + " --version failed: " + told.output().strip());
    }
    return new Installation(bin, matcher.group(1), Integer.parseInt(matcher.group(2)));
  }

  String program(String name) {
    return bin.resolve(name).toString();
  }
}
