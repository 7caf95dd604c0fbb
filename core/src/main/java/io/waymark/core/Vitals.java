package io.waymark.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * What changes on every call to one member: how much is in flight, how fast it answers, and its
 * {@link Circuit}. One cell per member; it is born and dies with the member.
 *
 * <p>Latency is an exponentially weighted moving average: the first sample is kept as it is, later
 * samples count the new reading at {@value #ALPHA}.
 *
 * <p>Thread safe and lock-free; no method allocates.
 */
public final class Vitals {
  /** What a new latency sample counts, as the published design of the replica router has it. */
  public static final double ALPHA = 0.2;

  private static final VarHandle IN_FLIGHT;
  private static final VarHandle LATENCY;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      IN_FLIGHT = lookup.findVarHandle(Vitals.class, "inFlight", int.class);
      LATENCY = lookup.findVarHandle(Vitals.class, "latencyNanos", double.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Circuit circuit;

  @SuppressWarnings("unused") // written through IN_FLIGHT
  private volatile int inFlight;

  private volatile double latencyNanos = Double.NaN;

  /** Vitals of a member that has not been called yet, with a circuit of its own. */
  public Vitals(Circuit circuit) {
    this.circuit = circuit;
  }

  /** The member's circuit. */
  public Circuit circuit() {
    return circuit;
  }

  /** Counts one more call under way. Every call is matched by one {@link #finished()}. */
  public void started() {
    IN_FLIGHT.getAndAdd(this, 1);
  }

  /** Counts one call less under way. */
  public void finished() {
    IN_FLIGHT.getAndAdd(this, -1);
  }

  /** Calls under way now. */
  public int inFlight() {
    return inFlight;
  }

  /**
   * Takes one measured latency into the average.
   *
   * @param nanos the time that a call or a probe took, in nanoseconds; negative readings count as 0
   */
  public void latency(long nanos) {
    double sample = Math.max(0, nanos);
    double before;
    double after;
    do {
      before = latencyNanos;
      after = Double.isNaN(before) ? sample : before + ALPHA * (sample - before);
    } while (!LATENCY.compareAndSet(this, before, after));
  }

  /** The average latency in nanoseconds, or {@code NaN} before the first sample. */
  public double latencyNanos() {
    return latencyNanos;
  }

  /** The average latency, rounded to nanoseconds; empty before the first sample. */
  public OptionalLong latency() {
    double now = latencyNanos;
    return Double.isNaN(now) ? OptionalLong.empty() : OptionalLong.of(Math.round(now));
  }

  @Override
  public String toString() {
    double now = latencyNanos;
    String latency = Double.isNaN(now) ? "none" : Duration.ofNanos(Math.round(now)).toString();
    return "Vitals[inFlight=" + inFlight + ", latency=" + latency + ", " + circuit + "]";
  }
}
