package io.waymark.testing;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The state of a proxy's levers, one set per direction, shared by all its connections. */
final class Levers {

  private static final long UNLIMITED = Long.MAX_VALUE;

  /** What the levers do to one direction. Guarded by the lock, except for what is volatile. */
  private static final class Lane {
    volatile long delayNanos;
    boolean held;
    long budget = UNLIMITED;
    final AtomicLong passed = new AtomicLong();
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Direction, Lane> lanes = new EnumMap<>(Direction.class);
  private boolean closed;

  Levers() {
    for (Direction direction : Direction.values()) {
      lanes.put(direction, new Lane());
    }
  }

  private Lane lane(Direction direction) {
    return Objects.requireNonNull(lanes.get(direction));
  }

  void delay(Direction direction, Duration delay) {
    lane(direction).delayNanos = delay.toNanos();
  }

  long delayNanos(Direction direction) {
    return lane(direction).delayNanos;
  }

  void hold(Direction direction) {
    lock.lock();
    try {
      lane(direction).held = true;
    } finally {
      lock.unlock();
    }
  }

  void resume() {
    lock.lock();
    try {
      lanes.values().forEach(lane -> lane.held = false);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void cutAfter(Direction direction, long bytes) {
    lock.lock();
    try {
      lane(direction).budget = bytes;
    } finally {
      lock.unlock();
    }
  }

  void cancelCut() {
    lock.lock();
    try {
      lanes.values().forEach(lane -> lane.budget = UNLIMITED);
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Wakes those who wait in {@link #admit} and {@link #linger} so that they look at their socket.
   */
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits while the direction is held.
   *
   * @return false if the connection or the proxy was closed meanwhile
   */
  boolean admit(Direction direction, Relay relay) {
    lock.lock();
    try {
      Lane lane = lane(direction);
      while (lane.held && !closed && !relay.isClosed()) {
        changed.awaitUninterruptibly();
      }
      return !closed && !relay.isClosed();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a time, in a way that the end of the connection cuts short.
   *
   * @return false if the connection or the proxy was closed meanwhile
   */
  boolean linger(long millis, Relay relay) {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
      while (nanos > 0 && !closed && !relay.isClosed()) {
        nanos = changed.awaitNanos(nanos);
      }
      return !closed && !relay.isClosed();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes bytes out of what may still pass before a cut.
   *
   * @return how many of them may pass; fewer than asked for means: then cut
   */
  int take(Direction direction, int length) {
    lock.lock();
    try {
      Lane lane = lane(direction);
      int granted = (int) Math.min(length, lane.budget);
      if (granted < length) {
        lane.budget = UNLIMITED;
      } else if (lane.budget != UNLIMITED) {
        lane.budget -= granted;
      }
      lane.passed.addAndGet(granted);
      return granted;
    } finally {
      lock.unlock();
    }
  }

  long passed(Direction direction) {
    return lane(direction).passed.get();
  }
}
