package io.waymark.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What a shard says of its load at one moment: advice for whoever chooses between shards, neither a
 * reservation nor a measure of anything but this shard.
 *
 * @param observedAt when, by the shard's wall clock: for people, and for the policy that compares
 *     it with the caller's clock
 * @param window how far back counts and averages reach; positive
 * @param incarnation whose counts these are: a new text at each start of the shard, empty if not
 *     known
 * @param sequence rises with every snapshot of one incarnation; not negative
 * @param inbound calls of the shard until it accepted or rejected them
 * @param outbound what the shard sends on: one attempt at one target is one call
 * @param pendingDeliveries the exact durable backlog; 0 if there is none to count
 */
public record LoadSnapshot(
    Instant observedAt,
    Duration window,
    String incarnation,
    long sequence,
    Traffic inbound,
    Traffic outbound,
    long pendingDeliveries) {

  /** Refuses missing, negative and zero components where they make no sense. */
  public LoadSnapshot {
    Objects.requireNonNull(observedAt, "observedAt");
    Objects.requireNonNull(incarnation, "incarnation");
    Objects.requireNonNull(inbound, "inbound");
    Objects.requireNonNull(outbound, "outbound");
    if (window.isNegative() || window.isZero()) {
      throw new IllegalArgumentException("window must be positive, was " + window);
    }
    notNegative("sequence", sequence);
    notNegative("pendingDeliveries", pendingDeliveries);
  }

  /**
   * One direction.
   *
   * @param inFlight calls under way at the moment of the snapshot
   * @param completed calls that ended within the window, whenever they began
   * @param averageMillis the mean time of those, in milliseconds; empty if there were none, which
   *     is not the same as 0
   */
  public record Traffic(int inFlight, long completed, OptionalDouble averageMillis) {
    /** Nothing under way and nothing completed. */
    public static final Traffic NONE = new Traffic(0, 0, OptionalDouble.empty());

    /** Refuses negative counts, and averages that are negative or not finite. */
    public Traffic {
      notNegative("inFlight", inFlight);
      notNegative("completed", completed);
      double average = averageMillis.orElse(0);
      if (!(average >= 0 && average <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "averageMillis must be finite and not negative, was " + average);
      }
    }
  }

  private static void notNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must not be negative, was " + value);
    }
  }
}
