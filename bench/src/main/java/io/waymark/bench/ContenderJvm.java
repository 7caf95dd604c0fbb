package io.waymark.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs contenders one after the other, each in a JVM of its own whose results are lines on its
 * stdout. Closing it ends the JVM that runs; its servers end with it.
 */
public final class ContenderJvm implements AutoCloseable {
  private static final int SHOWN = 500;
  private static final int GRACE_SECONDS = 10;

  private final AtomicReference<@Nullable Process> running = new AtomicReference<>();

  /** Runs nothing yet. */
  public ContenderJvm() {}

  /**
   * Runs a main class with this JVM's class path, and waits for its end.
   *
   * @param limit after how long it hangs and is ended
   * @param lines is told each line of its stdout when it comes
   * @return how it ended, with the last that it said on stderr
   * @throws IOException if no JVM can be started
   */
  public String run(Class<?> main, List<String> arguments, Duration limit, Consumer<String> lines)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("waymark-bench-", ".log");
    try {
      Process process = start(main, arguments, log);
      running.set(process);
      Thread timer = timer(process, limit);
      try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
          lines.accept(line);
        }
      }
      int status = process.waitFor();
      timer.interrupt();
      return "its JVM ended with status " + status + ": " + tail(log);
    } finally {
      running.set(null);
      Files.deleteIfExists(log);
    }
  }

  private static Process start(Class<?> main, List<String> arguments, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectError(log.toFile()).start();
  }

  /** Ends a JVM that hangs, in good order where it can. */
  private static Thread timer(Process process, Duration limit) {
    Thread timer =
        new Thread(
            () -> {
              try {
                if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                  process.destroy();
                  process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
                  process.destroyForcibly();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "bench-timer");
    timer.setDaemon(true);
    timer.start();
    return timer;
  }

  private static String tail(Path log) throws IOException {
    String text = Files.readString(log).strip();
    return text.substring(Math.max(0, text.length() - SHOWN));
  }

  @Override
  public void close() {
    Process process = running.get();
    if (process != null) {
      process.destroy();
    }
  }
}
