package io.waymark.core;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Keeps calls away from a member that fails, and lets them back gently.
 *
 * <table>
 * <caption>The state machine</caption>
 * <tr><th>state</th><th>event</th><th>next</th></tr>
 * <tr><td>closed</td><td>success of a call or trial</td><td>closed, failures 0</td></tr>
 * <tr><td>closed</td><td>failure of a call or trial</td><td>closed with failures + 1; at
 *     {@value #FAILURES_TO_OPEN} in a row: open</td></tr>
 * <tr><td>open</td><td>failure of a trial</td><td>open, a longer delay to the next trial</td></tr>
 * <tr><td>open</td><td>success of a trial</td><td>closed, in slow start</td></tr>
 * <tr><td>open</td><td>success of a call that was already under way</td><td>open: only a trial,
 *     which no caller waits for, closes it</td></tr>
 * <tr><td>open</td><td>failure of a call that was already under way</td><td>open, the delay stays:
 *     a full pool that breaks at once says no more than two calls do</td></tr>
 * </table>
 *
 * <p>While the circuit is open no call is sent to the member; the trial is the next probe, which
 * runs on the monitor's thread. The delay to it is {@code max(probe, min(30 s, probe * 2^k))} with
 * {@code k} one less than the failures in a row, at least 1 and at most 8, spread by ±10 % so that
 * many processes do not probe in step.
 *
 * <p>Slow start: for {@value #SLOW_START_PROBES} probe intervals after it closed, the member takes
 * part in a growing share of the selections (see {@link #admits}); where it is the only one that
 * may serve, it serves. Slow start is part of the closed state: neither a success nor a failure
 * that does not open the circuit ends it.
 *
 * <p>Thread safe and lock-free. A success in the ordinary state is one volatile read.
 */
public final class Circuit {
  /** Consecutive failures that open the circuit, as the published design has it. */
  public static final int FAILURES_TO_OPEN = 2;

  /** The longest delay between trials while the circuit is open, unless probes are rarer. */
  public static final Duration MAX_DELAY = Duration.ofSeconds(30);

  /** How long slow start lasts, in probe intervals. */
  public static final int SLOW_START_PROBES = 10;

  /** The share of selections that a member takes part in right after its circuit closed. */
  static final double SLOW_START_FIRST_SHARE = 0.1;

  private static final double JITTER = 0.1;
  private static final int MAX_DOUBLINGS = 8;
  private static final State HEALTHY = new State(false, 0, 0, false);

  private record State(boolean open, int failures, long closedAt, boolean warming) {
    State afterFailure() {
      int more = failures == Integer.MAX_VALUE ? failures : failures + 1;
      return open || more >= FAILURES_TO_OPEN
          ? new State(true, more, 0, false)
          : new State(false, more, closedAt, warming);
    }

    State withoutFailures() {
      return warming ? new State(false, 0, closedAt, true) : HEALTHY;
    }

    State warm() {
      return failures == 0 ? HEALTHY : new State(open, failures, 0, false);
    }
  }

  private final long probeNanos;
  private final LongSupplier ticker;
  private final AtomicReference<State> state = new AtomicReference<>(HEALTHY);

  /**
   * A closed circuit.
   *
   * @param probe the ordinary interval between probes; positive
   * @param ticker monotonic nanoseconds
   */
  public Circuit(Duration probe, LongSupplier ticker) {
    if (probe.isNegative() || probe.isZero()) {
      throw new IllegalArgumentException("the probe interval must be positive, not " + probe);
    }
    this.probeNanos = probe.toNanos();
    this.ticker = ticker;
  }

  /** Whether calls are kept away. */
  public boolean isOpen() {
    return state.get().open();
  }

  /** Failures in a row; 0 after a success. */
  public int failures() {
    return state.get().failures();
  }

  /**
   * A call failed in a way that speaks against the member. While the circuit is open this changes
   * nothing: the call was under way before.
   *
   * @return whether this failure opened the circuit
   */
  public boolean failed() {
    State before = state.get();
    while (!before.open()) {
      State after = before.afterFailure();
      if (state.compareAndSet(before, after)) {
        return after.open();
      }
      before = state.get();
    }
    return false;
  }

  /**
   * A probe failed: counts like a failed call, and while the circuit is open it puts the next trial
   * off further.
   *
   * @return whether this failure opened the circuit
   */
  public boolean trialFailed() {
    State before = state.getAndUpdate(State::afterFailure);
    return !before.open() && before.afterFailure().open();
  }

  /** A call succeeded: the failures in a row are over, unless the circuit is open already. */
  public void succeeded() {
    State before = state.get();
    while (before.failures() > 0 && !before.open()) {
      if (state.compareAndSet(before, before.withoutFailures())) {
        return;
      }
      before = state.get();
    }
  }

  /**
   * A probe succeeded: the failures in a row are over and an open circuit closes.
   *
   * @return whether this success closed the circuit
   */
  public boolean trialSucceeded() {
    State before;
    State after;
    do {
      before = state.get();
      if (before.failures() == 0) {
        return false;
      }
      after =
          before.open() ? new State(false, 0, ticker.getAsLong(), true) : before.withoutFailures();
    } while (!state.compareAndSet(before, after));
    return before.open();
  }

  /** The share of selections that the member takes part in now: 1 but during slow start. */
  public double share() {
    State now = state.get();
    if (!now.warming()) {
      return 1;
    }
    double progress =
        (double) (ticker.getAsLong() - now.closedAt()) / (probeNanos * SLOW_START_PROBES);
    if (progress >= 1) {
      state.compareAndSet(now, now.warm());
      return 1;
    }
    return Math.max(SLOW_START_FIRST_SHARE, progress);
  }

  /**
   * Whether the member takes part in the selection with this number. The answer depends only on the
   * number and the time, so that a preview and the call that follows it agree. The turns that admit
   * are scattered, so that they do not fall in step with a selector's rotation.
   *
   * @param turn the number of the selection
   */
  public boolean admits(long turn) {
    return !state.get().warming() || scattered(turn) < share();
  }

  /**
   * The turn as a fraction of 1, by the mixer of SplitMix64 (Steele, Lea, Flood: Fast Splittable
   * Pseudorandom Number Generators, OOPSLA 2014).
   */
  private static double scattered(long turn) {
    long mixed = (turn + 1) * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    mixed ^= mixed >>> 31;
    return (mixed >>> 11) * 0x1.0p-53;
  }

  /**
   * The delay to the next probe or trial.
   *
   * @param random spreads the delay by ±10 %
   */
  public Duration nextDelay(RandomGenerator random) {
    State now = state.get();
    long nanos = probeNanos;
    if (now.open()) {
      int doublings = Math.min(Math.max(now.failures() - 1, 1), MAX_DOUBLINGS);
      nanos =
          Math.max(
              probeNanos, Math.min(MAX_DELAY.toNanos(), saturatedShift(probeNanos, doublings)));
    }
    double spread = 1 + JITTER * (2 * random.nextDouble() - 1);
    return Duration.ofNanos((long) (nanos * spread));
  }

  private static long saturatedShift(long nanos, int doublings) {
    return nanos > Long.MAX_VALUE >> doublings ? Long.MAX_VALUE : nanos << doublings;
  }

  @Override
  public String toString() {
    State now = state.get();
    return now.open()
        ? "open after " + now.failures() + " failures"
        : share() < 1 ? "warming" : "closed";
  }
}
