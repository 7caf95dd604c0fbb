package io.waymark.cli.processes;

import io.waymark.testing.postgres.PostgresCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one demo, its folder and its server, from their start to their end. It ends all
 * of them and removes the files, also when the JVM is told to end in the middle.
 *
 * @param <S> what processes say
 */
public final class Crew<S> implements AutoCloseable {
  /** How long processes may take to start. */
  public static final Duration START = Duration.ofSeconds(60);

  private static final long FRAME_MILLIS = 250;
  private static final int EVENTS = 8;
  private static final Duration END = Duration.ofSeconds(3);

  private final String demo;
  private final List<WorkerProcess<S>> workers = new CopyOnWriteArrayList<>();
  private final Deque<String> events = new ArrayDeque<>();
  private final ReentrantLock telling = new ReentrantLock();
  private final Thread hook = new Thread(this::release, "waymark-demo-shutdown");
  private long eventCount;
  private volatile @Nullable PostgresCluster cluster;
  private volatile @Nullable Path folder;
  private volatile @Nullable Trouble trouble;
  private volatile long begun = System.nanoTime();

  /** Nothing is started yet. */
  public Crew(String demo) {
    this.demo = demo;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  // ---- starting --------------------------------------------------------------------------------

  /** Makes the demo's folder. */
  public Path makeFolder() throws IOException {
    Path made = Files.createTempDirectory("waymark-" + demo + "-");
    folder = made;
    return made;
  }

  /** Starts a PostgreSQL server of the demo's own; returns its URL. */
  public String startPostgres() throws SQLException {
    PostgresCluster started = DemoDatabase.start();
    cluster = started;
    return started.primary().url();
  }

  /** Adds a process, which is not started yet. */
  public void add(String name, WorkerPlan<S> plan, WorkerProcess.Ear<S> ear) {
    workers.add(new WorkerProcess<>(name, plan, ear));
  }

  /**
   * Starts all processes.
   *
   * @param favourite see {@link Trouble}
   * @param random of all trouble
   */
  public void start(Predicate<String> favourite, SplittableRandom random) {
    Trouble made = new Trouble(workers, favourite, random, this::happened);
    trouble = made;
    made.start();
  }

  /** All processes, in the order in which they were added. */
  public List<WorkerProcess<S>> workers() {
    return List.copyOf(workers);
  }

  /** Counts the time from here, and begins the trouble. */
  public void beginTrouble() {
    begun = System.nanoTime();
    Trouble made = trouble;
    if (made != null) {
      made.begin();
    }
  }

  /** No more trouble; who is dead or paused comes back. */
  public void calm() {
    Trouble made = trouble;
    if (made != null) {
      made.calm();
    }
  }

  // ---- watching --------------------------------------------------------------------------------

  /** Whether all processes work. */
  public boolean isRunning() {
    return workers.stream().allMatch(each -> each.state() == WorkerProcess.State.RUNNING);
  }

  /** Fails unless all processes work. */
  public void requireRunning(String when) throws IOException {
    for (WorkerProcess<S> worker : workers) {
      if (worker.state() != WorkerProcess.State.RUNNING) {
        throw new IOException(worker.name() + " did not run " + when);
      }
    }
  }

  /**
   * Shows a state several times a second until the time is over or something has come true.
   *
   * @throws IOException if a process failed
   */
  public void await(Duration most, Runnable show, BooleanSupplier done)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    while (true) {
      show.run();
      boolean end = done.getAsBoolean();
      String failure = failure();
      if (failure != null) {
        throw new IOException(failure);
      }
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (end || left <= 0) {
        return;
      }
      Thread.sleep(Math.min(left, FRAME_MILLIS));
    }
  }

  private @Nullable String failure() {
    Trouble made = trouble;
    RuntimeException failed = made == null ? null : made.failure();
    return failed != null
        ? String.valueOf(failed.getMessage())
        : workers.stream()
            .map(WorkerProcess::failure)
            .filter(f -> f != null)
            .findFirst()
            .orElse(null);
  }

  /** The time since the trouble began, or since the start. */
  public Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /** The demo's server for people, such as {@code PostgreSQL 18.6}; SQLite where it has none. */
  public String store() {
    PostgresCluster started = cluster;
    return started == null ? "SQLite" : "PostgreSQL " + started.version();
  }

  private void happened(String event) {
    telling.lock();
    try {
      eventCount++;
      events.addLast(
          String.format(Locale.ROOT, "%6.1f s  %s", elapsed().toMillis() / 1000.0, event));
      if (events.size() > EVENTS) {
        events.removeFirst();
      }
    } finally {
      telling.unlock();
    }
  }

  /** What was done to processes. */
  public Events events() {
    telling.lock();
    try {
      return new Events(List.copyOf(events), eventCount);
    } finally {
      telling.unlock();
    }
  }

  /** How many were killed. */
  public long crashes() {
    Trouble made = trouble;
    return made == null ? 0 : made.crashes();
  }

  /** How many were paused. */
  public long pauses() {
    Trouble made = trouble;
    return made == null ? 0 : made.pauses();
  }

  // ---- the end ---------------------------------------------------------------------------------

  /** Ends all processes and the server, and removes the files. Idempotent. */
  private void release() {
    Trouble made = trouble;
    if (made != null) {
      made.close();
    }
    workers.forEach(WorkerProcess::end);
    try {
      long deadline = System.nanoTime() + END.toNanos();
      for (WorkerProcess<S> worker : workers) {
        worker.ended(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    workers.forEach(WorkerProcess::close);
    PostgresCluster started = cluster;
    if (started != null) {
      started.close();
    }
    remove(folder);
  }

  private static void remove(@Nullable Path folder) {
    if (folder == null || !Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("the folder " + folder + " could not be removed: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    release();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already, and the hook does this too.
    }
  }
}
