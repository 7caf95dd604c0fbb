package io.waymark.bench;

import java.util.Arrays;

/**
 * A median and the interval that holds the true one in 95 of 100 samples, whatever the
 * distribution: by order statistics, with the normal approximation of the binomial.
 *
 * @param low the lower end
 * @param middle the sample's median
 * @param high the upper end
 */
public record Median(double low, double middle, double high) {
  private static final double NORMAL_95 = 1.96;

  /** Of any sample that is not empty. */
  public static Median of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int size = sorted.length;
    int reach = (int) Math.ceil(NORMAL_95 * Math.sqrt(size) / 2);
    return new Median(
        sorted[Math.max(0, size / 2 - reach)],
        sorted[size / 2],
        sorted[Math.min(size - 1, size / 2 + reach)]);
  }
}
