package io.waymark.durable;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers what one queue has due: claims, calls the handler, has the claim settled.
 *
 * <p>A <em>slot</em> is the right to have one claim. Whoever has one claims and delivers until
 * nothing is due; each claim that succeeds calls for one more slot, so a burst soon has them all.
 * An attempt that takes too long loses its slot to a successor, who settles the claim; the thread
 * that hangs keeps nothing but itself. Of such threads there may be four for each slot: beyond that
 * a slot comes back only with its thread, so that a target that swallows calls cannot eat all
 * threads.
 *
 * <p>Thread safe.
 */
final class DeliveryEngine<C> {
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryEngine.class);

  /** A lease is longer than an attempt by this; who begins later than that must not begin. */
  static final Duration MARGIN = Duration.ofSeconds(10);

  private static final int HUNG_THREADS_PER_SLOT = 4;

  /**
   * How often an answer that finds its row locked is given again at once. Who claims with a
   * snapshot from before this claim locks its row too, sees that it is not due any more, and lets
   * go of it a moment later; a caller's transaction may hold it for long.
   */
  private static final int QUICK_TRIES = 5;

  /** What is due and cannot be claimed is locked by somebody's transaction, which ends sometime. */
  private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(250);

  private final String name;
  private final DeliveryHost host;
  private final Scheduler scheduler;
  private final DeliveryQueue<C> queue;
  private final int slots;
  private final Duration attemptTimeout;
  private final LongSupplier ticker;
  private final Unsettled unsettled;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, as is all below. */
  private int free;

  private int hung;
  private boolean wanted;
  private boolean passedOver;
  private boolean open;
  private boolean closing;

  /**
   * An engine that is paused.
   *
   * @param name of what it delivers, for people
   */
  DeliveryEngine(
      String name,
      DeliveryHost host,
      DeliveryQueue<C> queue,
      int concurrency,
      Duration attemptTimeout) {
    this.name = name;
    this.host = host;
    this.scheduler = host.store().scheduler();
    this.queue = queue;
    this.slots = concurrency;
    this.attemptTimeout = attemptTimeout;
    this.ticker = host.store().ticker();
    this.unsettled = new Unsettled(ticker);
    this.free = concurrency;
  }

  // ---- slots -----------------------------------------------------------------------------------

  void resume() {
    lock.lock();
    try {
      open = true;
    } finally {
      lock.unlock();
    }
    scheduler.within(0);
  }

  void pause() {
    lock.lock();
    try {
      open = false;
    } finally {
      lock.unlock();
    }
  }

  /** Something may be due. */
  void wake() {
    if (takeSlot()) {
      execute(this::work);
    }
  }

  private boolean takeSlot() {
    lock.lock();
    try {
      if (!open) {
        return false;
      }
      if (free == 0) {
        wanted = true;
        return false;
      }
      free--;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void execute(Runnable task) {
    try {
      host.executor().execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError e) { // closing, or no thread to be had
      LOG.debug("a delivery of {} could not start", name, e);
      giveSlotBack();
    }
  }

  /** Gives the slot back, unless somebody called for one after the last claim failed. */
  private boolean keepSlot(boolean storeFailed) {
    boolean look;
    lock.lock();
    try {
      if (wanted && open && !storeFailed) {
        wanted = false;
        return true;
      }
      free++;
      look = passedOver;
      passedOver = false;
    } finally {
      lock.unlock();
    }
    if (look) {
      scheduler.within(0);
    }
    return false;
  }

  private void giveSlotBack() {
    keepSlot(true);
  }

  /** A thread hangs. Whether its slot is free for another. */
  private boolean freeSlotOfHung() {
    lock.lock();
    try {
      hung++;
      return hung <= slots * HUNG_THREADS_PER_SLOT;
    } finally {
      lock.unlock();
    }
  }

  private void hungEnded(boolean keptSlot) {
    lock.lock();
    try {
      hung--;
    } finally {
      lock.unlock();
    }
    if (keptSlot) {
      giveSlotBack();
      wake();
    }
  }

  // ---- the scheduler asks ----------------------------------------------------------------------

  /** See {@link Scheduler.Work#start}. */
  long start() {
    long next = unsettled.retry();
    lock.lock();
    try {
      if (!open) {
        return next;
      }
      if (free == 0) {
        passedOver = true;
        return next;
      }
    } finally {
      lock.unlock();
    }
    Optional<Duration> due = queue.untilDue();
    if (due.isEmpty()) {
      return next;
    }
    if (due.get().compareTo(Duration.ZERO) > 0) {
      return Math.min(next, due.get().toNanos());
    }
    wake();
    return Math.min(next, LOOK_AGAIN);
  }

  // ---- one slot's work -------------------------------------------------------------------------

  private void work() {
    try {
      boolean more = true;
      while (more) {
        more = claimAndDeliver();
      }
    } catch (RuntimeException | Error e) { // such as no thread to be had; the lease frees the row
      LOG.warn("delivering {} was interrupted; it goes on", name, e);
      giveSlotBack();
    }
  }

  /** Whether the slot is still this thread's. */
  private boolean claimAndDeliver() {
    long asked = ticker.getAsLong();
    Optional<C> claim;
    try {
      claim = isOpen() ? queue.claim(host.nextToken(), lease()) : Optional.empty();
    } catch (RuntimeException e) { // the alarm finds it again, and says so
      LOG.debug("claiming of {} failed", name, e);
      giveSlotBack();
      return false;
    }
    if (claim.isEmpty()) {
      return keepSlot(false);
    }
    wake();
    return deliver(claim.get(), asked);
  }

  private boolean isOpen() {
    lock.lock();
    try {
      return open;
    } finally {
      lock.unlock();
    }
  }

  private Duration lease() {
    return attemptTimeout.plus(MARGIN);
  }

  /**
   * Delivers a claim.
   *
   * @param asked when the claim was asked for, so that its lease certainly began later
   * @return whether the slot is still this thread's
   */
  private boolean deliver(C claim, long asked) {
    DeliveryCall call = queue.prepare(claim, asked);
    if (call == null) {
      return true;
    }
    long began = ticker.getAsLong();
    if (began - asked > MARGIN.toNanos()) {
      queue.giveBack(claim, asked);
      return true;
    }
    return call(call, began);
  }

  private boolean call(DeliveryCall call, long began) {
    Attempt attempt = new Attempt(began, began + attemptTimeout.toNanos(), Thread.currentThread());
    call.begin();
    host.watch().add(attempt, late -> overdue(late, call));
    Throwable failure = null;
    try {
      call.run(attempt::isAbandoned);
    } catch (Throwable e) { // whatever it is, it says that this attempt failed
      failure = e;
    }
    Duration took = Duration.ofNanos(Math.max(0, ticker.getAsLong() - began));
    if (!attempt.end()) {
      Thread.interrupted(); // it was meant for the handler
      hungEnded(!attempt.isSlotFreed());
      call.late(failure, took);
      return false;
    }
    host.watch().remove(attempt);
    Thread.interrupted(); // a handler may have set it for itself
    call.ended(failure, took);
    return true;
  }

  /** On the watch's thread. */
  private void overdue(Attempt attempt, DeliveryCall call) {
    boolean replaced = freeSlotOfHung();
    if (!attempt.abandon(replaced)) {
      hungEnded(false);
      return;
    }
    Runnable successor =
        () -> {
          call.overdue();
          if (replaced) {
            work();
          }
        };
    try {
      host.executor().execute(successor);
    } catch (RejectedExecutionException | OutOfMemoryError e) { // the lease frees the row
      LOG.debug("a successor for {} could not start", name, e);
      if (replaced) {
        giveSlotBack();
      }
    }
  }

  // ---- settling --------------------------------------------------------------------------------

  /**
   * Settles a claim, and tries it again until the lease ends if that fails.
   *
   * @param asked when the claim was asked for
   * @param statement may be run several times, also after it took effect
   * @return what came of it; {@link Settled#LOCKED} if it is to be tried again
   */
  Settled settle(long asked, Supplier<Settled> statement) {
    Settled settled = Settled.LOCKED;
    try {
      for (int i = 0; i < QUICK_TRIES && settled == Settled.LOCKED; i++) {
        settled = statement.get();
      }
    } catch (RuntimeException e) {
      LOG.debug("settling a claim of {} failed; it is tried again", name, e);
    }
    if (settled == Settled.LOCKED) {
      // Until its lease ends the row is ours to settle; afterwards it is claimed anew.
      unsettled.add(statement, asked + lease().toNanos());
      scheduler.within(LOOK_AGAIN);
    } else if (settled == Settled.PENDING) {
      scheduler.within(0);
    }
    return settled;
  }

  /** No more attempts. */
  void close() {
    lock.lock();
    try {
      open = false;
      closing = true;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosing() {
    lock.lock();
    try {
      return closing;
    } finally {
      lock.unlock();
    }
  }
}
