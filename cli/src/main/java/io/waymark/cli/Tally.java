package io.waymark.cli;

import io.waymark.postgres.RouteEvent;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What the sessions of a demo did and saw. Thread safe. */
final class Tally {
  private final LongAdder writes = new LongAdder();
  private final LongAdder staleReads = new LongAdder();
  private final LongAdder failedReads = new LongAdder();
  private final LongAdder failedWrites = new LongAdder();
  private final LongAdder endsLost = new LongAdder();
  private final Map<String, LongAdder> byEndpoint = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> byReason = new ConcurrentHashMap<>();
  private final Latency readLatency = new Latency();
  private final Latency writeLatency = new Latency();
  private final AtomicReference<@Nullable String> lastFailure = new AtomicReference<>();

  Tally() {}

  void wrote(long nanos) {
    writes.increment();
    writeLatency.add(nanos);
  }

  /**
   * A read was answered.
   *
   * @param served the route that answered it, after any that failed
   */
  void read(RouteEvent served, boolean stale, long nanos) {
    byEndpoint.computeIfAbsent(served.endpoint(), key -> new LongAdder()).increment();
    byReason.computeIfAbsent(served.reason(), key -> new LongAdder()).increment();
    if (stale) {
      staleReads.increment();
    }
    readLatency.add(nanos);
  }

  void readFailed(String why) {
    failedReads.increment();
    lastFailure.set(why);
  }

  void writeFailed(String why) {
    failedWrites.increment();
    lastFailure.set(why);
  }

  /** A read-only transaction had its answer, and its server was gone before it ended. */
  void endLost() {
    endsLost.increment();
  }

  Counts counts() {
    Map<String, Long> endpoints = sums(byEndpoint);
    return new Counts(
        writes.sum(),
        endpoints.values().stream().mapToLong(Long::longValue).sum(),
        staleReads.sum(),
        failedReads.sum(),
        failedWrites.sum(),
        endsLost.sum(),
        endpoints,
        sums(byReason),
        readLatency.percentiles(),
        writeLatency.percentiles(),
        lastFailure.get());
  }

  private static Map<String, Long> sums(Map<String, LongAdder> adders) {
    Map<String, Long> sums = new TreeMap<>();
    adders.forEach((key, adder) -> sums.put(key, adder.sum()));
    return sums;
  }

  /**
   * All of it at one moment.
   *
   * @param writes transactions that committed
   * @param reads reads that were answered, stale or not
   * @param staleReads reads that showed less than their own session had committed
   * @param failedReads reads that threw
   * @param failedWrites transactions that threw
   * @param endsLost answered read-only transactions whose server was gone before they ended
   * @param readsByEndpoint answered reads by the endpoint that answered
   * @param readsByReason answered reads by the reason of their last route
   * @param readLatency from asking for a connection to giving it back
   * @param writeLatency from asking for a connection to giving it back
   * @param lastFailure what the last failure said
   */
  record Counts(
      long writes,
      long reads,
      long staleReads,
      long failedReads,
      long failedWrites,
      long endsLost,
      Map<String, Long> readsByEndpoint,
      Map<String, Long> readsByReason,
      Latency.Percentiles readLatency,
      Latency.Percentiles writeLatency,
      @Nullable String lastFailure) {

    /** Reads that replicas answered. */
    long fromReplicas() {
      return reads - readsByEndpoint.getOrDefault("primary", 0L);
    }

    /** Their share of all answered reads; 0 of none. */
    double replicaShare() {
      return reads == 0 ? 0 : Math.round(10_000.0 * fromReplicas() / reads) / 10_000.0;
    }

    /** Whether something was checked, and all of it held. */
    boolean held() {
      return reads > 0 && writes > 0 && staleReads == 0 && failedReads == 0 && failedWrites == 0;
    }
  }
}
