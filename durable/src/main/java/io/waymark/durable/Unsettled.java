package io.waymark.durable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Claims that could not be settled yet, because somebody's transaction held the row or the store
 * failed. Each is tried again until its lease ends; what does not fit in here, or does not succeed,
 * is left to the lease, which costs one more delivery. Thread safe.
 */
final class Unsettled {
  private static final int MOST = 1_000;
  private static final long FIRST_WAIT = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(2);

  private record Entry(Supplier<Settled> statement, long leaseEnd, long nextTry, long pause) {}

  private final LongSupplier ticker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Entry> entries = new ArrayDeque<>();

  Unsettled(LongSupplier ticker) {
    this.ticker = ticker;
  }

  void add(Supplier<Settled> statement, long leaseEnd) {
    add(new Entry(statement, leaseEnd, ticker.getAsLong() + FIRST_WAIT, FIRST_WAIT));
  }

  private void add(Entry entry) {
    lock.lock();
    try {
      if (entries.size() < MOST) {
        entries.add(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tries those whose time has come; for one thread at a time.
   *
   * @return nanoseconds until the next should be tried; {@link Long#MAX_VALUE} if there is none
   */
  long retry() {
    long next = Long.MAX_VALUE;
    int count = size();
    for (int i = 0; i < count; i++) {
      Entry entry = poll();
      long now = ticker.getAsLong();
      if (now - entry.leaseEnd() >= 0) {
        continue;
      }
      if (now - entry.nextTry() < 0) {
        add(entry);
        next = Math.min(next, entry.nextTry() - now);
      } else if (!settled(entry)) {
        long pause = Math.min(LONGEST_WAIT, entry.pause() * 2);
        add(new Entry(entry.statement(), entry.leaseEnd(), now + pause, pause));
        next = Math.min(next, pause);
      }
    }
    return next;
  }

  private static boolean settled(Entry entry) {
    try {
      return entry.statement().get() != Settled.LOCKED;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private int size() {
    lock.lock();
    try {
      return entries.size();
    } finally {
      lock.unlock();
    }
  }

  private Entry poll() {
    lock.lock();
    try {
      return entries.remove();
    } finally {
      lock.unlock();
    }
  }
}
