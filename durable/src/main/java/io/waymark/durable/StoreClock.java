package io.waymark.durable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What time it is for a store, in microseconds since 1970: the database's word where several
 * processes share one, else this process's, which does not follow when the wall clock is set.
 *
 * @param sql the expression for now in a statement; may hold the parameter {@code :now}
 * @param micros the value of {@code :now}; not used where the expression does not hold it
 */
record StoreClock(String sql, LongSupplier micros) {
  static final String PARAMETER = ":now";

  /**
   * The server's clock, as of the start of the statement or the transaction that it runs in. In
   * floating point, which is exact to the microsecond for some centuries and costs a tenth of what
   * {@code extract} does; and of the words for now the one that is no function to be looked up.
   */
  static StoreClock ofPostgres() {
    return new StoreClock("(date_part('epoch', CURRENT_TIMESTAMP) * 1000000)::bigint", () -> 0);
  }

  /** The wall clock at the start, carried on by the ticker. */
  static StoreClock ofProcess(Instant start, LongSupplier ticker) {
    long wall = TimeUnit.SECONDS.toMicros(start.getEpochSecond()) + start.getNano() / 1_000;
    long nanos = ticker.getAsLong();
    return new StoreClock(
        PARAMETER, () -> wall + TimeUnit.NANOSECONDS.toMicros(ticker.getAsLong() - nanos));
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  static long micros(Duration duration) {
    return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
  }
}
