package io.waymark.cli;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/** How long calls took, in bounded memory: microseconds with three digits. Thread safe. */
final class Latency {
  private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);

  private final ConcurrentHistogram micros = new ConcurrentHistogram(LONGEST_MICROS, 3);

  Latency() {}

  void add(long nanos) {
    micros.recordValue(Math.min(LONGEST_MICROS, Math.max(0, nanos / 1000)));
  }

  Percentiles percentiles() {
    return new Percentiles(micros.getValueAtPercentile(50), micros.getValueAtPercentile(99));
  }

  /**
   * Microseconds that half of the calls, and all but one in a hundred, stayed within.
   *
   * @param p50 the median; 0 where there were no calls
   * @param p99 the 99th percentile; 0 where there were no calls
   */
  record Percentiles(long p50, long p99) {
    /** Both for people. */
    String text() {
      return "p50 " + text(p50) + ", p99 " + text(p99);
    }

    private static String text(long micros) {
      return Text.duration(Duration.of(micros, java.time.temporal.ChronoUnit.MICROS));
    }
  }
}
