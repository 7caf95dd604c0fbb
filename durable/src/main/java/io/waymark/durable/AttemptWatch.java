package io.waymark.durable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Watches the limits of the attempts that run: a thread that does nothing else, so that no slow
 * database keeps it from its work. Thread safe.
 */
final class AttemptWatch implements AutoCloseable {
  private static final long IDLE = Long.MAX_VALUE;

  private final LongSupplier ticker;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** The attempts that run, with what to do when one takes too long; guarded by the lock. */
  private final Map<Attempt, Consumer<Attempt>> running = new LinkedHashMap<>();

  private boolean started;
  private boolean closed;

  AttemptWatch(LongSupplier ticker, String threadName) {
    this.ticker = ticker;
    this.thread = new Thread(this::loop, threadName);
    thread.setDaemon(true);
  }

  /**
   * From now on.
   *
   * @param overdue called on the watch's thread if the deadline comes before {@link #remove}; quick
   */
  void add(Attempt attempt, Consumer<Attempt> overdue) {
    lock.lock();
    try {
      running.put(attempt, overdue);
      if (!started) {
        started = true;
        thread.start();
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  void remove(Attempt attempt) {
    lock.lock();
    try {
      running.remove(attempt);
    } finally {
      lock.unlock();
    }
  }

  /** For tests that move the ticker. */
  void look() {
    lock.lock();
    try {
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void loop() {
    Map<Attempt, Consumer<Attempt>> overdue = new LinkedHashMap<>();
    while (await(overdue)) {
      overdue.forEach((attempt, action) -> action.accept(attempt));
      overdue.clear();
    }
  }

  /** Until some are overdue, which it moves there; false when closed. */
  private boolean await(Map<Attempt, Consumer<Attempt>> overdue) {
    lock.lock();
    try {
      while (!closed) {
        long next = IDLE;
        for (Attempt attempt : List.copyOf(running.keySet())) {
          long left = attempt.deadline() - ticker.getAsLong();
          if (left <= 0) {
            overdue.put(attempt, running.remove(attempt));
          } else {
            next = Math.min(next, left);
          }
        }
        if (!overdue.isEmpty()) {
          return true;
        }
        changed.awaitNanos(next);
      }
      return false;
    } catch (InterruptedException e) {
      return false; // nobody interrupts it
    } finally {
      lock.unlock();
    }
  }

  /** Those that run now. */
  List<Attempt> running() {
    lock.lock();
    try {
      return new ArrayList<>(running.keySet());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }
}
