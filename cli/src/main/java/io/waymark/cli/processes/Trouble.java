package io.waymark.cli.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Starts the processes, kills some and pauses others, and sees to it that they come back. All of it
 * on one thread.
 */
public final class Trouble implements AutoCloseable {
  private static final int KILLS_OF_TEN = 6;

  /** On a busy machine, where starts take long, nobody would get anything done without it. */
  private static final Duration REST = Duration.ofSeconds(1);

  private final List<WorkerProcess<?>> workers;
  private final Predicate<String> favourite;
  private final SplittableRandom random;
  private final Consumer<String> tell;
  private final ScheduledExecutorService thread;
  private final LongAdder crashes = new LongAdder();
  private final LongAdder pauses = new LongAdder();
  private volatile boolean calm = true;
  private volatile @Nullable RuntimeException failure;

  /**
   * Nothing is started yet.
   *
   * @param favourite names of those that are troubled as often as all others together
   * @param random every choice
   * @param tell hears of each thing that is done
   */
  public Trouble(
      List<? extends WorkerProcess<?>> workers,
      Predicate<String> favourite,
      SplittableRandom random,
      Consumer<String> tell) {
    this.workers = List.copyOf(workers);
    this.favourite = favourite;
    this.random = random;
    this.tell = tell;
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, "waymark-demo-trouble");
              made.setDaemon(true);
              return made;
            });
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.thread = executor;
  }

  /** Starts all processes. */
  public void start() {
    workers.forEach(worker -> later(Duration.ZERO, () -> worker.start()));
  }

  /** From now on processes are killed and paused. */
  public void begin() {
    calm = false;
    next();
  }

  /** No more trouble; who is dead or paused comes back. */
  public void calm() {
    calm = true;
  }

  /** How many were killed. */
  public long crashes() {
    return crashes.sum();
  }

  /** How many were paused. */
  public long pauses() {
    return pauses.sum();
  }

  /** What kept a process from being started or paused. */
  public @Nullable RuntimeException failure() {
    return failure;
  }

  private interface Act {
    void run() throws IOException;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what it throws is kept
  private void later(Duration wait, Act act) {
    thread.schedule(
        () -> {
          try {
            act.run();
          } catch (IOException e) {
            failure = new UncheckedIOException(e);
          } catch (RuntimeException e) {
            failure = e;
          }
        },
        wait.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private void next() {
    later(between(700, 1500), this::trouble);
  }

  private Duration between(int least, int most) {
    return Duration.ofMillis(random.nextInt(least, most));
  }

  private void trouble() throws IOException {
    List<WorkerProcess<?>> running =
        workers.stream().filter(each -> each.hasWorkedFor(REST)).toList();
    if (!calm && !running.isEmpty()) {
      WorkerProcess<?> victim = chosen(running);
      if (random.nextInt(10) < KILLS_OF_TEN) {
        kill(victim);
      } else {
        pause(victim);
      }
      next();
    } else if (!calm) {
      next();
    }
  }

  private WorkerProcess<?> chosen(List<WorkerProcess<?>> running) {
    List<WorkerProcess<?>> favourites =
        running.stream().filter(each -> favourite.test(each.name())).toList();
    List<WorkerProcess<?>> from =
        random.nextBoolean() && !favourites.isEmpty() ? favourites : running;
    return from.get(random.nextInt(from.size()));
  }

  private void kill(WorkerProcess<?> victim) {
    victim.kill();
    crashes.increment();
    tell.accept(victim.name() + " is killed");
    later(
        between(100, 1000),
        () -> {
          victim.start();
          tell.accept(victim.name() + " is started again");
        });
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it does not throw
  private void pause(WorkerProcess<?> victim) throws IOException {
    Duration time = between(300, 3000);
    pauses.increment();
    tell.accept(victim.name() + " is paused for " + time.toMillis() + " ms");
    CompletableFuture<?> over = victim.pause(time);
    over.whenCompleteAsync(
        (done, error) -> {
          victim.resumed();
          tell.accept(victim.name() + " goes on");
        },
        thread);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
