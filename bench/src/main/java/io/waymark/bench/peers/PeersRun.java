package io.waymark.bench.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Rounds of all contenders, one after the other, each in a JVM of its own. Closing it ends the JVM
 * that runs; its servers end with it.
 */
public final class PeersRun implements AutoCloseable {
  private static final int SHOWN = 500;

  private final Plan plan;
  private final Consumer<Progress> progress;
  private final AtomicReference<@Nullable Process> running = new AtomicReference<>();
  private final Map<Contender, Map<Scenario, List<Result>>> results =
      new EnumMap<>(Contender.class);
  private volatile boolean closed;
  private String server = "?";

  /**
   * Runs nothing yet.
   *
   * @param plan of one round of one contender
   * @param progress is told what is done, on the thread that runs
   */
  public PeersRun(Plan plan, Consumer<Progress> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * How far it is.
   *
   * @param round from 1
   * @param contender whose turn it is
   * @param last its newest result; empty when its turn begins
   * @param so what is there so far
   */
  public record Progress(int round, Contender contender, Optional<Result> last, Standings so) {}

  /**
   * Runs all rounds. In each another contender begins.
   *
   * @throws IOException if no JVM can be started
   */
  public Standings run(List<Contender> contenders, int rounds)
      throws IOException, InterruptedException {
    for (int round = 0; round < rounds && !closed; round++) {
      List<Contender> order = new ArrayList<>(contenders);
      Collections.rotate(order, -(round % order.size()));
      for (Contender contender : order) {
        run(contender, round + 1);
      }
    }
    return standings();
  }

  private Standings standings() {
    return Standings.of(server, results);
  }

  private void run(Contender contender, int round) throws IOException, InterruptedException {
    progress.accept(new Progress(round, contender, Optional.empty(), standings()));
    Path log = Files.createTempFile("waymark-bench-", ".log");
    try {
      Process process = start(contender, log);
      running.set(process);
      List<Result> arrived = new ArrayList<>();
      Thread timer = timer(process);
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          Line read = JsonMapper.shared().readValue(line, Line.class);
          server = read.server();
          arrived.add(read.result());
          add(contender, read.result());
          progress.accept(new Progress(round, contender, Optional.of(read.result()), standings()));
        }
      }
      int status = process.waitFor();
      timer.interrupt();
      addMissing(contender, arrived, "its JVM ended with status " + status + ": " + tail(log));
    } finally {
      running.set(null);
      Files.deleteIfExists(log);
    }
  }

  private Process start(Contender contender, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ContenderRun.class.getName());
    command.add(contender.name());
    command.addAll(plan.arguments());
    return new ProcessBuilder(command).redirectError(log.toFile()).start();
  }

  /** Ends a JVM that hangs; its servers' watchdog ends them. */
  private Thread timer(Process process) {
    Thread timer =
        new Thread(
            () -> {
              try {
                if (!process.waitFor(plan.limit().toMillis(), TimeUnit.MILLISECONDS)) {
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

  private void add(Contender contender, Result result) {
    results
        .computeIfAbsent(contender, each -> new EnumMap<>(Scenario.class))
        .computeIfAbsent(result.scenario(), each -> new ArrayList<>())
        .add(result);
  }

  private void addMissing(Contender contender, List<Result> arrived, String why) {
    for (Scenario scenario : Scenario.values()) {
      if (arrived.stream().noneMatch(each -> each.scenario() == scenario)) {
        add(contender, new Result.Broken(scenario, why));
      }
    }
  }

  private static String tail(Path log) throws IOException {
    String text = Files.readString(log).strip();
    return text.substring(Math.max(0, text.length() - SHOWN));
  }

  @Override
  public void close() {
    closed = true;
    Process process = running.get();
    if (process != null) {
      process.destroy();
    }
  }
}
