package io.waymark.postgres;

import io.waymark.core.Operation;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what happens into meters. Where nobody measures, each method is one look at a final field:
 * no clock is read and nothing is allocated.
 *
 * <p>Thread safe.
 */
final class Measurements {
  private static final Logger LOG = LoggerFactory.getLogger(Measurements.class);
  private static final String OK = "ok";
  private static final String FAILED = "failed";

  /** One meter of those that share a name; the values are those of its tags in their order. */
  private record Key(String name, String endpoint, String second, String third) {}

  private final Meters meters;
  private final boolean on;
  private final LongSupplier ticker;
  private final Map<Key, Meters.Counter> counters = new ConcurrentHashMap<>();
  private final Map<Key, Meters.Timer> timers = new ConcurrentHashMap<>();

  Measurements(Meters meters, LongSupplier ticker) {
    this.meters = meters;
    this.on = meters != Meters.NONE;
    this.ticker = ticker;
  }

  /** When something begins; to be given back when it has ended. */
  long start() {
    return on ? ticker.getAsLong() : 0;
  }

  /** An endpoint was chosen. */
  void routed(Operation operation, String endpoint, String reason) {
    if (on) {
      count(
          new Key(MeterNames.ROUTED, endpoint, operation.text(), reason),
          MeterNames.OPERATION,
          MeterNames.REASON);
    }
  }

  /** A call waits for evidence about this endpoint. */
  void asked(String endpoint) {
    if (on) {
      count(new Key(MeterNames.EVIDENCE, endpoint, "", ""), "", "");
    }
  }

  /** A call is tried elsewhere, because it failed on this endpoint. */
  void retried(String endpoint) {
    if (on) {
      count(new Key(MeterNames.RETRIES, endpoint, "", ""), "", "");
    }
  }

  /** A pool gave a connection, or failed to. */
  void acquired(String endpoint, long started, @Nullable SQLException failure) {
    if (on) {
      String outcome =
          failure == null
              ? OK
              : failure.getErrorCode() == PostgresError.ACQUIRE_TIMEOUT.number()
                  ? "timeout"
                  : FAILED;
      time(new Key(MeterNames.ACQUIRE, endpoint, outcome, ""), started, MeterNames.OUTCOME, "");
    }
  }

  /** A statement was executed. */
  void executed(Operation operation, String endpoint, long started, boolean ok) {
    if (on) {
      time(
          new Key(MeterNames.STATEMENT, endpoint, operation.text(), ok ? OK : FAILED),
          started,
          MeterNames.OPERATION,
          MeterNames.OUTCOME);
    }
  }

  /** A transaction was committed, or was not, or nobody can say. */
  void committed(String endpoint, long started, @Nullable SQLException failure) {
    if (on) {
      String outcome =
          failure == null
              ? "committed"
              : failure.getErrorCode() == PostgresError.COMMIT_UNKNOWN.number()
                  ? "unknown"
                  : FAILED;
      time(new Key(MeterNames.COMMIT, endpoint, outcome, ""), started, MeterNames.OUTCOME, "");
    }
  }

  private void count(Key key, String second, String third) {
    try {
      counters
          .computeIfAbsent(key, k -> meters.counter(k.name(), tags(k, second, third)))
          .increment();
    } catch (RuntimeException e) {
      ignore(e);
    }
  }

  private void time(Key key, long started, String second, String third) {
    try {
      long took = Math.max(0, ticker.getAsLong() - started);
      timers.computeIfAbsent(key, k -> meters.timer(k.name(), tags(k, second, third))).record(took);
    } catch (RuntimeException e) {
      ignore(e);
    }
  }

  private static Map<String, String> tags(Key key, String second, String third) {
    if (second.isEmpty()) {
      return Map.of(MeterNames.ENDPOINT, key.endpoint());
    }
    return third.isEmpty()
        ? Map.of(MeterNames.ENDPOINT, key.endpoint(), second, key.second())
        : Map.of(MeterNames.ENDPOINT, key.endpoint(), second, key.second(), third, key.third());
  }

  private static void ignore(RuntimeException e) {
    LOG.debug("a meter threw; it is ignored", e);
  }
}
