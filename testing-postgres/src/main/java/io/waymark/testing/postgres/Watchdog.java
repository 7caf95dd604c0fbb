package io.waymark.testing.postgres;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small shell process that outlives the JVM for a moment. It waits on a pipe that only the JVM
 * holds open; when the JVM is gone, however it died, it ends the cluster's servers and removes the
 * cluster's folder. Unlike a signal on the parent's death it does not depend on which thread
 * started it.
 */
final class Watchdog implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 15;

  private final Process process;

  private Watchdog(Process process) {
    this.process = process;
  }

  /** Starts watching over a folder. */
  static Watchdog over(Path folder) {
    List<String> command = new ArrayList<>();
    // In a session of its own, neither Ctrl-C nor a kill of the JVM's process group ends it.
    for (String setsid : List.of("/usr/bin/setsid", "/bin/setsid")) {
      if (command.isEmpty() && Files.isExecutable(Path.of(setsid))) {
        command.add(setsid);
      }
    }
    command.addAll(script(folder));
    try {
      return new Watchdog(
          new ProcessBuilder(command)
              .directory(new File("/"))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new PostgresClusterException("cannot start the watchdog /bin/sh", e);
    }
  }

  /** Ends the servers in a folder and removes it, now. */
  static void clean(Path folder) {
    Command.run(script(folder));
  }

  private static List<String> script(Path folder) {
    return List.of("/bin/sh", "-c", Script.TEXT, "waymark-watchdog", folder.toString());
  }

  private static final class Script {
    static final String TEXT = read();

    private static String read() {
      try (InputStream in = Watchdog.class.getResourceAsStream("watchdog.sh")) {
        if (in == null) {
          throw new IllegalStateException("watchdog.sh is missing in the jar");
        }
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Lets the watchdog finish; it removes what is still there. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      // Its input is closed, so it ends by itself.
      Thread.currentThread().interrupt();
    }
  }
}
