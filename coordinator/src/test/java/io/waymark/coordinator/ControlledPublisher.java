package io.waymark.coordinator;

import io.waymark.topology.Published;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.SnapshotStoreException;
import io.waymark.topology.Stamp;
import io.waymark.topology.WriteOutcome;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** A publisher that fails, and holds writes up, when it is told to. */
final class ControlledPublisher implements SnapshotPublisher {
  private final SnapshotPublisher under;
  private final AtomicInteger running = new AtomicInteger();
  final AtomicInteger mostAtOnce = new AtomicInteger();
  final List<Published> begun = new CopyOnWriteArrayList<>();
  volatile boolean closed;
  private volatile boolean down;
  private volatile Predicate<Published> failing = each -> false;
  private volatile Predicate<Published> refusing = each -> false;
  private volatile Predicate<Published> held = each -> false;
  private volatile Runnable around = () -> {};
  private volatile CountDownLatch gate = new CountDownLatch(0);

  ControlledPublisher(SnapshotPublisher under) {
    this.under = under;
  }

  /** These are not stored, and nobody knows. */
  void fail(Predicate<Published> which) {
    failing = which;
  }

  /** Of these nothing is sent. */
  void refuse(Predicate<Published> which) {
    refusing = which;
  }

  /** Nothing of the store can be reached. */
  void down(boolean is) {
    down = is;
    failing = each -> is;
  }

  /** These are stored only after {@link #release}, whatever interrupts say. */
  void hold(Predicate<Published> which) {
    gate = new CountDownLatch(1);
    held = which;
  }

  /** Is run before each write begins and after it has ended. */
  void around(Runnable moment) {
    around = moment;
  }

  /** Holds no more, and lets those land that are held. */
  void release() {
    held = each -> false;
    gate.countDown();
  }

  /** Holds no more; those that are held go on being held. */
  void holdNoMore() {
    held = each -> false;
  }

  @Override
  public WriteOutcome write(Published published) {
    around.run();
    WriteOutcome outcome = controlled(published);
    around.run();
    return outcome;
  }

  private WriteOutcome controlled(Published published) {
    begun.add(published);
    mostAtOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
    try {
      if (held.test(published)) {
        awaitRelease(gate);
      }
      if (refusing.test(published)) {
        return new WriteOutcome.NotWritten(new IllegalStateException("nothing was sent"));
      }
      return failing.test(published)
          ? new WriteOutcome.Uncertain(new IllegalStateException("the store is down"))
          : under.write(published);
    } finally {
      running.decrementAndGet();
    }
  }

  private static void awaitRelease(CountDownLatch gate) {
    boolean interrupted = false;
    while (true) {
      try {
        gate.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public WriteOutcome replace(Stamp found, Published published) {
    return under.replace(found, published);
  }

  @Override
  public boolean comparesStamps() {
    return under.comparesStamps();
  }

  @Override
  public boolean canSweep() {
    return under.canSweep();
  }

  @Override
  public void sweep(BiConsumer<String, Stamp> each) {
    if (down) {
      throw new SnapshotStoreException("the store is down", null);
    }
    under.sweep(each);
  }

  @Override
  public void close() {
    closed = true;
    under.close();
  }

  @Override
  public void onDoubt(Runnable listener) {
    under.onDoubt(listener);
  }
}
