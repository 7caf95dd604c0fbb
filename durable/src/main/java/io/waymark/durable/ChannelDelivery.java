package io.waymark.durable;

import io.waymark.durable.OutboxEvent.Kind;
import io.waymark.durable.OutboxTable.Claim;
import io.waymark.durable.OutboxTable.Settled;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers one channel: claims due rows one by one, calls the handler, settles.
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
final class ChannelDelivery<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelDelivery.class);

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

  private final DurableStore store;
  private final OutboxTable table;
  private final Channel<T> channel;
  private final DeliveryHandler<? super T> handler;
  private final DeliveryOptions options;
  private final LongSupplier ticker;
  private final LongSupplier tokens;
  private final Executor executor;
  private final AttemptWatch watch;
  private final Settlements settlements;
  private final Unsettled unsettled;
  private final OutboxObserver observer;

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, as is all below. */
  private int free;

  private int hung;
  private boolean wanted;
  private boolean passedOver;
  private boolean open;
  private boolean closing;

  ChannelDelivery(
      DurableStore store,
      OutboxTable table,
      Channel<T> channel,
      DeliveryHandler<? super T> handler,
      DeliveryOptions options,
      OutboxWorks works) {
    this.store = store;
    this.table = table;
    this.channel = channel;
    this.handler = handler;
    this.options = options;
    this.ticker = store.ticker();
    this.tokens = works.tokens();
    this.executor = works.executor();
    this.watch = works.watch();
    this.settlements = works.settlements();
    this.observer = works.observer();
    this.unsettled = new Unsettled(ticker);
    this.free = options.concurrency();
  }

  // ---- slots -----------------------------------------------------------------------------------

  void resume() {
    lock.lock();
    try {
      open = true;
    } finally {
      lock.unlock();
    }
    store.scheduler().within(0);
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
      executor.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError e) { // closing, or no thread to be had
      LOG.debug("a delivery of {} could not start", channel, e);
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
      store.scheduler().within(0);
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
      return hung <= options.concurrency() * HUNG_THREADS_PER_SLOT;
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
    Optional<Duration> due = table.untilDue(channel.name());
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
      LOG.warn("delivering {} was interrupted; it goes on", channel, e);
      giveSlotBack();
    }
  }

  /** Whether the slot is still this thread's. */
  private boolean claimAndDeliver() {
    long asked = ticker.getAsLong();
    Optional<Claim> claim;
    try {
      claim =
          isOpen() ? table.claim(channel.name(), tokens.getAsLong(), lease()) : Optional.empty();
    } catch (RuntimeException e) { // the alarm finds it again, and says so
      LOG.debug("claiming of {} failed", channel, e);
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
    return options.attemptTimeout().plus(MARGIN);
  }

  /**
   * Delivers a claim.
   *
   * @param asked when the claim was asked for, so that its lease certainly began later
   * @return whether the slot is still this thread's
   */
  private boolean deliver(Claim claim, long asked) {
    String payload = claim.payload();
    if (payload == null) { // cancelled, and then its deliverer died
      settle(claim, asked, () -> table.again(claim, null, Duration.ZERO, 0));
      return true;
    }
    T value;
    try {
      value = channel.decode(payload);
    } catch (RuntimeException | StackOverflowError e) {
      failed(claim, asked, Kind.UNDECODABLE, e, Duration.ZERO);
      return true;
    }
    long began = ticker.getAsLong();
    if (began - asked > MARGIN.toNanos()) {
      settle(claim, asked, () -> table.again(claim, null, Duration.ZERO, claim.attempt() - 1));
      return true;
    }
    return call(claim, asked, value, began);
  }

  private boolean call(Claim claim, long asked, T value, long began) {
    Attempt attempt =
        new Attempt(
            claim, began, began + options.attemptTimeout().toNanos(), Thread.currentThread());
    watch.add(attempt, late -> overdue(late, asked));
    Receipt receipt = null;
    Throwable failure = null;
    try {
      receipt =
          handler.deliver(
              new Delivery<>(
                  claim.key(), claim.version(), claim.attempt(), value, attempt::isAbandoned));
    } catch (Throwable e) { // whatever it is, it says that this attempt failed
      failure = e;
    }
    Duration took = Duration.ofNanos(Math.max(0, ticker.getAsLong() - began));
    if (!attempt.end()) {
      Thread.interrupted(); // it was meant for the handler
      hungEnded(!attempt.isSlotFreed());
      tell(Kind.LATE, claim, took, failure, null);
      return false;
    }
    watch.remove(attempt);
    Thread.interrupted(); // a handler may have set it for itself
    ended(claim, asked, receipt, failure, took);
    return true;
  }

  private void ended(
      Claim claim,
      long asked,
      @Nullable Receipt receipt,
      @Nullable Throwable failure,
      Duration took) {
    if (receipt == null) {
      Throwable why =
          failure == null ? new NullPointerException("the handler returned null") : failure;
      failed(claim, asked, Kind.FAILED, why, took);
      return;
    }
    Duration again = receipt.again();
    if (again == null) {
      settle(claim, asked, () -> table.delivered(claim));
      settlements.delivered(claim);
      tell(Kind.DELIVERED, claim, took, null, null);
    } else {
      settle(claim, asked, () -> table.again(claim, null, again, 0));
      store.scheduler().within(again.toNanos());
      settlements.notYet(claim, "the handler asked to be called again");
      tell(Kind.AGAIN, claim, took, null, again);
    }
  }

  private void failed(Claim claim, long asked, Kind kind, Throwable why, Duration took) {
    // What close() interrupted is for the next process to try, and at once.
    Duration wait = isClosing() ? Duration.ZERO : store.delay(options.backoff(), claim.attempt());
    String said = Failures.said(why);
    settle(claim, asked, () -> table.again(claim, said, wait, claim.attempt()));
    store.scheduler().within(wait.toNanos());
    settlements.notYet(claim, said);
    tell(kind, claim, took, why, wait);
  }

  /** On the watch's thread. */
  private void overdue(Attempt attempt, long asked) {
    boolean replaced = freeSlotOfHung();
    if (!attempt.abandon(replaced)) {
      hungEnded(false);
      return;
    }
    Runnable successor =
        () -> {
          failed(
              attempt.claim(),
              asked,
              Kind.TIMED_OUT,
              new TimeoutException("the attempt took longer than " + options.attemptTimeout()),
              options.attemptTimeout());
          if (replaced) {
            work();
          }
        };
    try {
      executor.execute(successor);
    } catch (RejectedExecutionException | OutOfMemoryError e) { // the lease frees the row
      LOG.debug("a successor for {} could not start", attempt.claim().key(), e);
      if (replaced) {
        giveSlotBack();
      }
    }
  }

  // ---- settling --------------------------------------------------------------------------------

  private void settle(Claim claim, long asked, Supplier<Settled> statement) {
    Settled settled = Settled.LOCKED;
    try {
      for (int i = 0; i < QUICK_TRIES && settled == Settled.LOCKED; i++) {
        settled = statement.get();
      }
    } catch (RuntimeException e) {
      LOG.debug("settling {}/{} failed; it is tried again", channel, claim.key(), e);
    }
    if (settled == Settled.LOCKED) {
      // Until its lease ends the row is ours to settle; afterwards it is claimed anew.
      unsettled.add(statement, asked + lease().toNanos());
      store.scheduler().within(LOOK_AGAIN);
    } else if (settled == Settled.PENDING) {
      store.scheduler().within(0);
    } else if (settled == Settled.LOST) {
      tell(Kind.CLAIM_LOST, claim, Duration.ZERO, null, null);
    }
  }

  private void tell(
      Kind kind, Claim claim, Duration took, @Nullable Throwable error, @Nullable Duration next) {
    observer.tell(
        new OutboxEvent(
            kind,
            channel.name(),
            claim.key(),
            claim.version(),
            claim.attempt(),
            took,
            Optional.ofNullable(error),
            Optional.ofNullable(next)),
        claim.age());
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

  private boolean isClosing() {
    lock.lock();
    try {
      return closing;
    } finally {
      lock.unlock();
    }
  }
}
