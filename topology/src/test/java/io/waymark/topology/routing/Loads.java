package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.LoadSnapshot.Traffic;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;

/** Loads for tests: a builder of the little that matters in each. */
record Loads(
    long atMillis,
    String incarnation,
    long sequence,
    long pending,
    int inbound,
    OptionalDouble inboundMillis,
    int outbound,
    OptionalDouble outboundMillis) {

  static Loads pending(long pending) {
    return new Loads(0, "", 0, pending, 0, OptionalDouble.empty(), 0, OptionalDouble.empty());
  }

  Loads at(long millis) {
    return new Loads(
        millis, incarnation, sequence, pending, inbound, inboundMillis, outbound, outboundMillis);
  }

  Loads of(String incarnation, long sequence) {
    return new Loads(
        atMillis, incarnation, sequence, pending, inbound, inboundMillis, outbound, outboundMillis);
  }

  Loads inbound(int inFlight) {
    return new Loads(
        atMillis,
        incarnation,
        sequence,
        pending,
        inFlight,
        inboundMillis,
        outbound,
        outboundMillis);
  }

  Loads inbound(int inFlight, double millis) {
    return new Loads(
        atMillis,
        incarnation,
        sequence,
        pending,
        inFlight,
        OptionalDouble.of(millis),
        outbound,
        outboundMillis);
  }

  Loads outbound(int inFlight, double millis) {
    return new Loads(
        atMillis,
        incarnation,
        sequence,
        pending,
        inbound,
        inboundMillis,
        inFlight,
        OptionalDouble.of(millis));
  }

  LoadSnapshot snapshot() {
    return new LoadSnapshot(
        Instant.ofEpochMilli(atMillis),
        Duration.ofSeconds(60),
        incarnation,
        sequence,
        new Traffic(inbound, 1, inboundMillis),
        new Traffic(outbound, 1, outboundMillis),
        pending);
  }
}
