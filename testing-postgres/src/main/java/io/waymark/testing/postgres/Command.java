package io.waymark.testing.postgres;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a short external command to its end. */
final class Command {

  private static final long TIMEOUT_SECONDS = 60;

  /** How a command ended, and what it wrote to standard output and standard error. */
  record Result(int exit, String output) {
    boolean ok() {
      return exit == 0;
    }
  }

  private Command() {}

  static Result run(List<String> prefix, String... command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(List.of(command));
    return run(all);
  }

  /** Runs a command; one that cannot be started gives exit code 127, as in a shell. */
  static Result run(List<String> command) {
    Path output = null;
    try {
      output = Files.createTempFile("waymark-command-", ".out");
      Process process =
          new ProcessBuilder(command)
              .directory(new File("/"))
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return new Result(127, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PostgresClusterException("interrupted while running " + command.get(0), e);
    } finally {
      Folders.deleteQuietly(output);
    }
  }
}
