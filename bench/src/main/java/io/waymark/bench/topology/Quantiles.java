package io.waymark.bench.topology;

/**
 * Two quantiles of times, by the nearest rank, in milliseconds.
 *
 * @param p50 the median
 * @param p99 what 99 of 100 do not exceed
 */
public record Quantiles(double p50, double p99) {
  private static final double NANOS = 1e6;

  /** Of times in nanoseconds, in rising order; at least one. */
  static Quantiles of(long[] sorted) {
    return new Quantiles(at(sorted, 0.50), at(sorted, 0.99));
  }

  private static double at(long[] sorted, double part) {
    return sorted[(int) Math.ceil(part * sorted.length) - 1] / NANOS;
  }
}
