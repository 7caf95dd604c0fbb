package io.waymark.coordinator;

import io.waymark.testing.SeededRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * What goes wrong between a process and the outside, and what is still under way there: calls whose
 * caller has given up, and that take effect when the test says so. Thread safe.
 */
final class Mishaps {
  /** What becomes of a call. */
  enum Mishap {
    /** It takes effect, and the caller learns of it. */
    NONE,
    /** It never takes effect, and the caller learns only that it failed. */
    LOST,
    /** It takes effect later, and the caller learns only that it failed. */
    LATE,
    /** The same, and the caller waits until it is interrupted. */
    HANGING,
    /** It takes effect, and the caller learns only that it failed. */
    UNANSWERED,
    /** It does not take effect, and the caller learns of that. */
    REFUSED
  }

  /** A call that may still take effect, until its deadline by the ticker. */
  private record UnderWay(String what, long deadline, Runnable effect) {}

  private static final Mishap[] BAD = {
    Mishap.LOST,
    Mishap.LATE,
    Mishap.LATE,
    Mishap.LATE,
    Mishap.HANGING,
    Mishap.UNANSWERED,
    Mishap.UNANSWERED,
    Mishap.REFUSED
  };

  private final SeededRandom random;
  private final LongSupplier ticker;
  private final long landsForNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<UnderWay> underWay = new ArrayList<>();
  private volatile int percent;

  /**
   * @param landsFor how long after its begin a call may take effect
   */
  Mishaps(SeededRandom random, LongSupplier ticker, Duration landsFor) {
    this.random = random;
    this.ticker = ticker;
    this.landsForNanos = landsFor.toNanos();
  }

  /** From now on, so many of a hundred calls go wrong. */
  void percent(int percent) {
    this.percent = percent;
  }

  Mishap next() {
    lock.lock();
    try {
      return random.nextInt(100) < percent ? BAD[random.nextInt(BAD.length)] : Mishap.NONE;
    } finally {
      lock.unlock();
    }
  }

  void later(String what, Runnable effect) {
    lock.lock();
    try {
      underWay.add(new UnderWay(what, ticker.getAsLong() + landsForNanos, effect));
    } finally {
      lock.unlock();
    }
  }

  /** Until the thread is interrupted, as it must be before long. */
  static void hang() {
    try {
      if (!new CountDownLatch(1).await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("an attempt was not interrupted");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets one take effect, or get lost; tells which, or nothing if none is under way. */
  String settleOne(SeededRandom dice) {
    UnderWay one;
    lock.lock();
    try {
      if (underWay.isEmpty()) {
        return "nothing";
      }
      one = underWay.remove(dice.nextInt(underWay.size()));
    } finally {
      lock.unlock();
    }
    return settle(one, dice);
  }

  /** The same for all, or those that could not land any more so much later. */
  void settleAll(SeededRandom dice, Duration until) {
    long then = ticker.getAsLong() + until.toNanos();
    List<UnderWay> due = new ArrayList<>();
    lock.lock();
    try {
      underWay.removeIf(each -> each.deadline() - then <= 0 && due.add(each));
    } finally {
      lock.unlock();
    }
    while (!due.isEmpty()) {
      settle(due.remove(dice.nextInt(due.size())), dice);
    }
  }

  private static String settle(UnderWay one, SeededRandom dice) {
    if (dice.nextInt(4) == 0) {
      return one.what() + " gets lost";
    }
    one.effect().run();
    return one.what() + " lands";
  }
}
