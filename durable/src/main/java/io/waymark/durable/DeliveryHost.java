package io.waymark.durable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the engines of one outbox or fan-out share: threads, the watch over their attempts, their
 * place at the store's scheduler, and their end. Closing the store closes it. Thread safe.
 */
final class DeliveryHost implements AutoCloseable {
  private static final long IDLE_SECONDS = 10;

  private final DurableStore store;
  private final LongSupplier tokens;
  private final Duration grace;
  private final ThreadPoolExecutor executor;
  private final AttemptWatch watch;
  private final String what;
  private final Consumer<String> heard = this::wake;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** By the signal that wakes them. Not changed after {@link #attach}. */
  private final Map<String, DeliveryEngine<?>> engines = new LinkedHashMap<>();

  private final Map<String, Scheduler.Work> works = new LinkedHashMap<>();

  /**
   * A host without engines.
   *
   * @param what the word for it in messages and in the names of threads
   * @param tokens numbers that are never given twice
   * @param threads makes the threads of handlers; daemons of our own if there is none
   * @param grace how long {@link #close} waits for handlers
   */
  DeliveryHost(
      DurableStore store,
      String what,
      LongSupplier tokens,
      @Nullable ThreadFactory threads,
      Duration grace) {
    this.store = store;
    this.what = what;
    this.tokens = tokens;
    this.grace = grace;
    this.watch = new AttemptWatch(store.ticker(), "waymark-" + what + "-watch");
    this.executor =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE, // slots and hung threads bound it
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            threads == null ? daemons("waymark-" + what + "-") : threads);
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicLong number = new AtomicLong();
    return task -> {
      Thread thread = new Thread(task, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** One engine as the store's scheduler sees it. */
  private final class EngineWork implements Scheduler.Work {
    private final DeliveryEngine<?> engine;

    EngineWork(DeliveryEngine<?> engine) {
      this.engine = engine;
    }

    @Override
    public long start() {
      return engine.start();
    }

    @Override
    public void close() {
      DeliveryHost.this.close();
    }
  }

  /**
   * Adds an engine.
   *
   * @param work its name at the scheduler, which has each name once
   * @param signal what wakes it
   */
  void add(String work, String signal, DeliveryEngine<?> engine) {
    engines.put(signal, engine);
    works.put(work, new EngineWork(engine));
  }

  /** Adds other work, which ends with the engines. */
  void add(String work, Scheduler.Work other) {
    works.put(work, other);
  }

  /**
   * Begins, unless it is to be paused.
   *
   * @throws IllegalStateException if work of one of the names is attached to the store already
   */
  void attach(boolean paused) {
    try {
      works.forEach((name, work) -> store.scheduler().attach(name, work));
      store.signals().add(heard);
      if (!paused) {
        resume();
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  DurableStore store() {
    return store;
  }

  Executor executor() {
    return executor;
  }

  AttemptWatch watch() {
    return watch;
  }

  long nextToken() {
    return tokens.getAsLong();
  }

  /** Whether there is an engine that this signal wakes. */
  boolean has(String signal) {
    return engines.containsKey(signal);
  }

  /** Something may be due here and elsewhere. */
  void wakeAll(Iterable<String> signals) {
    signals.forEach(this::wake);
    store.signals().announce(signals);
  }

  private void wake(String signal) {
    DeliveryEngine<?> engine = engines.get(signal);
    if (engine != null) {
      engine.wake();
    }
  }

  void pause() {
    engines.values().forEach(DeliveryEngine::pause);
  }

  void resume() {
    requireOpen();
    engines.values().forEach(DeliveryEngine::resume);
  }

  void requireOpen() {
    if (closed.get()) {
      throw new DurableStoreException(StoreError.CLOSED, "the " + what + " is closed");
    }
  }

  /** For tests that move the ticker. */
  void look() {
    store.scheduler().look();
    watch.look();
  }

  /**
   * Begins no more attempts, waits for those under way as long as the grace time, then interrupts
   * them. May be called again.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    store.signals().remove(heard);
    works.forEach((name, work) -> store.scheduler().detach(name, work));
    engines.values().forEach(DeliveryEngine::close);
    executor.shutdown();
    try {
      if (!executor.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS)) {
        executor.shutdownNow();
        executor.awaitTermination(1, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
    watch.close();
  }
}
