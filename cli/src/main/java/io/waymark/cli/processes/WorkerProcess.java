package io.waymark.cli.processes;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One of the demo's processes by its name, which is started again each time that it was killed.
 * Started, killed and paused by one thread; everything else is thread safe.
 */
public final class WorkerProcess<S> implements AutoCloseable {
  /** How it is with a process. */
  public enum State {
    /** It was started, and has not said that it works. */
    STARTING,
    /** It works. */
    RUNNING,
    /** It stands still. */
    PAUSED,
    /** It was killed. */
    DEAD
  }

  /** Hears what a process says. */
  @FunctionalInterface
  public interface Ear<S> {
    /**
     * Called on a thread of that life of the process.
     *
     * @param who said it
     * @param life in which of its lives, from 1
     */
    void heard(WorkerProcess<S> who, int life, S said);
  }

  private static final String STOP_AND_GO_ON = "kill -STOP $1; sleep $2; kill -CONT $1";

  private final String name;
  private final WorkerPlan<S> plan;
  private final Ear<S> ear;
  private final ReentrantLock sending = new ReentrantLock();
  private volatile State state = State.DEAD;
  private volatile int starts;
  private volatile long workingSince;
  private volatile boolean wanted;
  private volatile @Nullable Process process;
  private volatile @Nullable String failure;

  /** A worker that is not started yet. */
  public WorkerProcess(String name, WorkerPlan<S> plan, Ear<S> ear) {
    this.name = name;
    this.plan = plan;
    this.ear = ear;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** How it is. */
  public State state() {
    return state;
  }

  /** Whether it has worked for that long without being killed or paused. */
  public boolean hasWorkedFor(Duration time) {
    return state == State.RUNNING && System.nanoTime() - workingSince >= time.toNanos();
  }

  /** How often it was started: tells one life of it from the next. */
  public int starts() {
    return starts;
  }

  /** Why it ended although nobody killed it; null if it did not. */
  public @Nullable String failure() {
    return failure;
  }

  /** Starts it, or starts it again. */
  public void start() throws IOException {
    state = State.STARTING;
    int life = starts + 1; // one thread starts it
    starts = life;
    Process started =
        new ProcessBuilder(command())
            .redirectError(ProcessBuilder.Redirect.appendTo(plan.errors().toFile()))
            .start();
    process = started;
    wanted = true;
    Thread thread = new Thread(() -> listen(started, life), "waymark-demo-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private List<String> command() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>();
    command.add(java);
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.addAll(List.of("-Xmx128m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(plan.main().getName());
    command.addAll(plan.arguments());
    return command;
  }

  private void listen(Process started, int life) {
    try (BufferedReader in = started.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        S said = Wire.value(line, plan.said());
        if (started == process && plan.isReady().test(said)) {
          workingSince = System.nanoTime();
          state = State.RUNNING;
        }
        ear.heard(this, life, said);
      }
    } catch (IOException e) {
      // It was killed in the middle of a line.
    } catch (RuntimeException e) {
      failure = name + " said what nobody understands: " + e;
    }
    if (wanted && started == process) {
      failure = name + " ended by itself" + lastError();
    }
  }

  private String lastError() {
    try {
      List<String> lines = Files.readAllLines(plan.errors(), StandardCharsets.UTF_8);
      return lines.stream()
          .filter(line -> !line.startsWith("\t"))
          .reduce((first, second) -> second)
          .map(line -> ": " + line)
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  /** Sends an order; false if it surely did not arrive. */
  public boolean send(Object order) {
    Process current = process;
    if (current == null || state == State.DEAD) {
      return false;
    }
    sending.lock(); // lines must not mix; the pipe has room for all that are ever under way
    try {
      Writer out = current.outputWriter(StandardCharsets.UTF_8);
      out.write(Wire.text(order) + "\n");
      out.flush();
      return true;
    } catch (IOException e) {
      return true; // a part of it may have arrived
    } finally {
      sending.unlock();
    }
  }

  /** SIGKILL: nothing of the process runs any more. */
  public void kill() {
    wanted = false;
    state = State.DEAD;
    Process current = process;
    if (current != null) {
      current.destroyForcibly();
    }
  }

  /**
   * SIGSTOP, and SIGCONT after a while, by a process of its own: so it goes on also when the demo
   * is killed meanwhile, and then ends.
   *
   * @return done when it goes on
   */
  public CompletableFuture<?> pause(Duration time) throws IOException {
    Process current = process;
    if (current == null) {
      return CompletableFuture.completedFuture(null);
    }
    state = State.PAUSED;
    String seconds = String.format(Locale.ROOT, "%.3f", time.toMillis() / 1000.0);
    return new ProcessBuilder(
            "/bin/sh", "-c", STOP_AND_GO_ON, "sh", String.valueOf(current.pid()), seconds)
        .redirectErrorStream(true)
        .redirectOutput(new File("/dev/null"))
        .start()
        .onExit();
  }

  /** It goes on. */
  public void resumed() {
    if (state == State.PAUSED) {
      workingSince = System.nanoTime();
      state = State.RUNNING;
    }
  }

  /** Lets it end in order, if it does so soon. */
  public void end() {
    wanted = false;
    Process current = process;
    if (current != null) {
      try {
        current.getOutputStream().close();
      } catch (IOException e) {
        // It has ended already.
      }
    }
  }

  /** Ends it in any case. Idempotent. */
  @Override
  public void close() {
    wanted = false;
    Process current = process;
    if (current != null) {
      try {
        current.destroyForcibly().waitFor(1, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Whether it has ended within the time. */
  public boolean ended(long millis) throws InterruptedException {
    Process current = process;
    return current == null || current.waitFor(millis, TimeUnit.MILLISECONDS);
  }
}
