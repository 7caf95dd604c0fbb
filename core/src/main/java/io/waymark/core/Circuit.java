package io.waymark.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
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
 *     {@value #FAILURES_TO_OPEN} in a row, unless another number was given: open</td></tr>
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
 * {@code k} the failures in a row from that on which opened it, at least 1 and at most 8, spread by
 * ±10 % so that many processes do not probe in step. (Two failures open: {@code k} is 1.)
 *
 * <p>Slow start: for {@value #SLOW_START_PROBES} probe intervals after it closed, unless another
 * time was given, the member takes part in a growing share of the selections (see {@link #admits});
 * where it is the only one that may serve, it serves. Slow start is part of the closed state:
 * neither a success nor a failure that does not open the circuit ends it. The circuit of a member
 * that is {@linkplain #unproven unproven} is closed and stays at the first share until its first
 * success; only then its slow start begins to count.
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

  /** Of longer ones the slow start does not end within a process's life. */
  private static final Duration LONGEST_PROBE = Duration.ofDays(3_650);

  private static final double JITTER = 0.1;
  private static final int MAX_DOUBLINGS = 8;

  /** How far a member has come; a circuit that is open has no part in it. */
  private enum Start {
    /** It has not served yet. */
    UNPROVEN,
    /** In slow start since {@code provenAt}. */
    WARMING,
    /** Done. */
    WARM
  }

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Circuit.class, "state", State.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final State HEALTHY = new State(false, 0, 0, Start.WARM);
  private static final State UNPROVEN = new State(false, 0, 0, Start.UNPROVEN);

  private record State(boolean open, int failures, long provenAt, Start start) {
    State afterFailure(int toOpen) {
      int more = failures == Integer.MAX_VALUE ? failures : failures + 1;
      return open || more >= toOpen
          ? new State(true, more, 0, Start.WARM)
          : new State(false, more, provenAt, start);
    }

    State warm() {
      return failures == 0 ? HEALTHY : new State(open, failures, 0, Start.WARM);
    }

    boolean isOrdinary() {
      return failures == 0 && start != Start.UNPROVEN;
    }
  }

  private final long probeNanos;
  private final int failuresToOpen;
  private final long slowStartNanos;
  private final LongSupplier ticker;

  /** Changed through STATE. In the ordinary state this very object, so that a look is one read. */
  private volatile State state;

  /**
   * A closed circuit, of a member that serves already.
   *
   * @param probe the ordinary interval between probes; positive
   * @param ticker monotonic nanoseconds
   */
  public Circuit(Duration probe, LongSupplier ticker) {
    this(
        probe,
        FAILURES_TO_OPEN,
        probe.compareTo(LONGEST_PROBE) > 0
            ? Long.MAX_VALUE
            : probe.multipliedBy(SLOW_START_PROBES).toNanos(),
        ticker,
        HEALTHY);
  }

  private Circuit(
      Duration probe, int failuresToOpen, long slowStartNanos, LongSupplier ticker, State first) {
    if (probe.isNegative() || probe.isZero()) {
      throw new IllegalArgumentException("the probe interval must be positive, not " + probe);
    }
    this.probeNanos = probe.toNanos();
    this.failuresToOpen = failuresToOpen;
    this.slowStartNanos = slowStartNanos;
    this.ticker = ticker;
    this.state = first;
  }

  /**
   * A closed circuit of a member that has not served yet: its slow start begins with its first
   * success, however long it was known before.
   *
   * @param probe the ordinary interval between probes; positive
   * @param failuresToOpen how many failures in a row open it; at least 1
   * @param slowStart how long slow start lasts; zero for none
   * @param ticker monotonic nanoseconds
   */
  public static Circuit unproven(
      Duration probe, int failuresToOpen, Duration slowStart, LongSupplier ticker) {
    if (failuresToOpen < 1) {
      throw new IllegalArgumentException("at least 1 failure opens, not " + failuresToOpen);
    }
    if (slowStart.isNegative()) {
      throw new IllegalArgumentException("slow start must not be negative, was " + slowStart);
    }
    State first = slowStart.isZero() ? HEALTHY : UNPROVEN;
    return new Circuit(probe, failuresToOpen, slowStart.toNanos(), ticker, first);
  }

  @SuppressWarnings("ReferenceEquality") // the ordinary case without a look inside
  private static boolean isHealthy(State now) {
    return now == HEALTHY;
  }

  /** Whether calls are kept away. */
  public boolean isOpen() {
    State now = state;
    return !isHealthy(now) && now.open();
  }

  /** Failures in a row; 0 after a success. */
  public int failures() {
    return state.failures();
  }

  /**
   * A call failed in a way that speaks against the member. While the circuit is open this changes
   * nothing: the call was under way before.
   *
   * @return whether this failure opened the circuit
   */
  public boolean failed() {
    State before = state;
    while (!before.open()) {
      State after = before.afterFailure(failuresToOpen);
      if (STATE.compareAndSet(this, before, after)) {
        return after.open();
      }
      before = state;
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
    State before;
    State after;
    do {
      before = state;
      after = before.afterFailure(failuresToOpen);
    } while (!STATE.compareAndSet(this, before, after));
    return !before.open() && after.open();
  }

  /**
   * A call succeeded: the failures in a row are over, unless the circuit is open already; the slow
   * start of an unproven member begins.
   */
  public void succeeded() {
    State before = state;
    while (!isHealthy(before) && !before.isOrdinary() && !before.open()) {
      if (STATE.compareAndSet(this, before, afterSuccess(before))) {
        return;
      }
      before = state;
    }
  }

  private State afterSuccess(State before) {
    if (before.open() || before.start() == Start.UNPROVEN) {
      return slowStartNanos == 0 ? HEALTHY : warmingSince(ticker.getAsLong());
    }
    return before.start() == Start.WARMING ? warmingSince(before.provenAt()) : HEALTHY;
  }

  private static State warmingSince(long nanos) {
    return new State(false, 0, nanos, Start.WARMING);
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
      before = state;
      if (before.isOrdinary()) {
        return false;
      }
      after = afterSuccess(before);
    } while (!STATE.compareAndSet(this, before, after));
    return before.open();
  }

  /**
   * Whether the member is in slow start, or was when somebody asked for its share last: told
   * without a look at the clock.
   */
  boolean isStarting() {
    State now = state;
    return !isHealthy(now) && now.start() != Start.WARM;
  }

  /** The share of selections that the member takes part in now: 1 but during slow start. */
  public double share() {
    State now = state;
    if (isHealthy(now) || now.start() == Start.WARM) {
      return 1;
    }
    if (now.start() == Start.UNPROVEN) {
      return SLOW_START_FIRST_SHARE;
    }
    double progress = (double) (ticker.getAsLong() - now.provenAt()) / slowStartNanos;
    if (progress >= 1) {
      STATE.compareAndSet(this, now, now.warm());
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
    return state.start() == Start.WARM || scattered(turn) < share();
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
    State now = state;
    long nanos = probeNanos;
    if (now.open()) {
      int doublings = Math.min(Math.max(now.failures() - failuresToOpen + 1, 1), MAX_DOUBLINGS);
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
    State now = state;
    return now.open()
        ? "open after " + now.failures() + " failures"
        : share() < 1 ? "warming" : "closed";
  }
}
