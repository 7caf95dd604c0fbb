package io.waymark.cli.simulation;

import java.util.Arrays;

/** How long calls took, in units. Keeps all of them: quantiles are exact. */
final class Times {
  private double[] values = new double[1024];
  private int count;
  private double sum;
  private boolean sorted;

  Times() {}

  void add(long nanos) {
    add(VirtualTime.units(nanos));
  }

  /** Adds all that the other has. */
  void add(Times other) {
    for (int i = 0; i < other.count; i++) {
      add(other.values[i]);
    }
  }

  private void add(double units) {
    if (count == values.length) {
      values = Arrays.copyOf(values, 2 * count);
    }
    values[count++] = units;
    sum += units;
    sorted = false;
  }

  int count() {
    return count;
  }

  double mean() {
    return sum / count;
  }

  /** What a share of them stayed within. */
  double quantile(double share) {
    if (!sorted) {
      Arrays.sort(values, 0, count);
      sorted = true;
    }
    return values[Math.min(count - 1, (int) (share * count))];
  }
}
