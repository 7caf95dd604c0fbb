package io.waymark.durable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one alarm of a store: a thread that sleeps until the earliest due work of all that is
 * attached, and at most until the next poll. It only looks and starts; the work itself runs
 * elsewhere.
 *
 * <p>The alarm is a moment in memory. It is moved forward by whoever made something due, after the
 * commit; what nobody told of is found by polling. So a rolled-back transaction moves nothing, and
 * no row is written for the alarm.
 *
 * <p>Thread safe.
 */
final class Scheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
  private static final long AFTER_FAILURE = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_JOIN_MILLIS = 5_000;

  /** Something that may have due work. */
  interface Work extends AutoCloseable {
    /**
     * Starts what is due. Called on the scheduler's thread only; must not run the work itself.
     *
     * @return nanoseconds until it wants to be asked again; {@link Long#MAX_VALUE} for when told
     */
    long start();

    @Override
    void close();
  }

  private final LongSupplier ticker;
  private final long poll;
  private final Thread thread = new Thread(this::loop, "waymark-store-alarm");
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** What is attached, by name; guarded by the lock, as is all below. */
  private final Map<String, Work> attached = new LinkedHashMap<>();

  private long alarm;
  private @Nullable Work starting;
  private boolean closed;

  /** Touched by the scheduler's thread only. */
  private boolean failing;

  Scheduler(LongSupplier ticker, Duration poll) {
    this.ticker = ticker;
    this.poll = poll.toNanos();
    this.alarm = ticker.getAsLong();
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /**
   * Adds work.
   *
   * @throws IllegalStateException if there is work of that name
   */
  void attach(String name, Work work) {
    lock.lock();
    try {
      if (closed) {
        throw new DurableStoreException(StoreError.CLOSED, "the store is closed");
      }
      if (attached.putIfAbsent(name, work) != null) {
        throw new IllegalStateException(
            name + " is already attached to this store; let both parts use the same one");
      }
    } finally {
      lock.unlock();
    }
    within(0);
  }

  /** Removes work; when this returns, nothing of it is being started any more. */
  void detach(String name, Work work) {
    lock.lock();
    try {
      attached.remove(name, work);
      while (starting == work && Thread.currentThread() != thread) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Something will be due in so many nanoseconds: the alarm moves there unless it is earlier. */
  void within(long nanos) {
    lock.lock();
    try {
      long wanted = ticker.getAsLong() + Math.min(nanos, poll);
      if (wanted - alarm < 0) {
        alarm = wanted;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** For tests that move the ticker. */
  void look() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void loop() {
    for (List<Work> all = sleep(); all != null; all = sleep()) {
      for (Work each : all) {
        if (begin(each)) {
          within(start(each));
          begin(null);
        }
      }
    }
  }

  /** Marks what is being started from now on; false if it was detached meanwhile. */
  private boolean begin(@Nullable Work work) {
    lock.lock();
    try {
      starting = work != null && attached.containsValue(work) ? work : null;
      changed.signalAll();
      return starting != null;
    } finally {
      lock.unlock();
    }
  }

  private long start(Work work) {
    try {
      long next = work.start();
      failing = false;
      return next;
    } catch (Throwable e) { // one must not stop the others, nor the alarm
      if (!failing) { // once, not every second of an outage
        LOG.warn("looking for due work failed; it is tried again: {}", Failures.said(e));
      }
      LOG.debug("looking for due work failed", e);
      failing = true;
      return AFTER_FAILURE;
    }
  }

  /** Until the alarm; what is attached then, or nothing when closed. Sets the alarm to the poll. */
  private @Nullable List<Work> sleep() {
    lock.lock();
    try {
      for (long left = left(); !closed && left > 0; left = left()) {
        changed.awaitNanos(left);
      }
      alarm = ticker.getAsLong() + poll;
      return closed ? null : List.copyOf(attached.values());
    } catch (InterruptedException e) {
      return null; // only close interrupts
    } finally {
      lock.unlock();
    }
  }

  private long left() {
    return alarm - ticker.getAsLong();
  }

  /** Closes what is attached, and ends the thread. */
  @Override
  public void close() {
    List<Work> all;
    lock.lock();
    try {
      closed = true;
      all = List.copyOf(attached.values());
      attached.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    all.forEach(Work::close);
    try {
      thread.join(LONGEST_JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
