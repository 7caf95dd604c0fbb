package io.waymark.postgres;

import io.waymark.core.KeptMeters;
import io.waymark.core.KeptMeters.Family;
import io.waymark.core.Meters;
import io.waymark.core.Operation;
import java.sql.SQLException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns what happens into meters. Where nobody measures, each method is one look at a final field:
 * no clock is read and nothing is allocated.
 *
 * <p>Thread safe.
 */
final class Measurements {
  private static final String OK = "ok";
  private static final String FAILED = "failed";

  private static final Family ROUTED =
      Family.of(MeterNames.ROUTED, MeterNames.OPERATION, MeterNames.ENDPOINT, MeterNames.REASON);
  private static final Family EVIDENCE = Family.of(MeterNames.EVIDENCE, MeterNames.ENDPOINT);
  private static final Family RETRIES = Family.of(MeterNames.RETRIES, MeterNames.ENDPOINT);
  private static final Family ACQUIRE =
      Family.of(MeterNames.ACQUIRE, MeterNames.ENDPOINT, MeterNames.OUTCOME);
  private static final Family STATEMENT =
      Family.of(
          MeterNames.STATEMENT, MeterNames.OPERATION, MeterNames.ENDPOINT, MeterNames.OUTCOME);
  private static final Family COMMIT =
      Family.of(MeterNames.COMMIT, MeterNames.ENDPOINT, MeterNames.OUTCOME);

  private final KeptMeters meters;
  private final boolean on;
  private final LongSupplier ticker;

  Measurements(Meters meters, LongSupplier ticker) {
    this.meters = new KeptMeters(meters);
    this.on = this.meters.isOn();
    this.ticker = ticker;
  }

  /** When something begins; to be given back when it has ended. */
  long start() {
    return on ? ticker.getAsLong() : 0;
  }

  /** An endpoint was chosen. */
  void routed(Operation operation, String endpoint, String reason) {
    if (on) {
      meters.count(ROUTED, operation.text(), endpoint, reason);
    }
  }

  /** A call waits for evidence about this endpoint. */
  void asked(String endpoint) {
    if (on) {
      meters.count(EVIDENCE, endpoint);
    }
  }

  /** A call is tried elsewhere, because it failed on this endpoint. */
  void retried(String endpoint) {
    if (on) {
      meters.count(RETRIES, endpoint);
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
      meters.time(ACQUIRE, since(started), endpoint, outcome);
    }
  }

  /** A statement was executed. */
  void executed(Operation operation, String endpoint, long started, boolean ok) {
    if (on) {
      meters.time(STATEMENT, since(started), operation.text(), endpoint, ok ? OK : FAILED);
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
      meters.time(COMMIT, since(started), endpoint, outcome);
    }
  }

  private long since(long started) {
    return ticker.getAsLong() - started;
  }
}
