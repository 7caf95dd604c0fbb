package io.waymark.cli.simulation;

/** What theory says of the scenarios that have a theory. */
final class Formulas {
  private Formulas() {}

  /**
   * The mean time in a system of many queues, each call joining the shorter of two, in units of the
   * mean work: the sum of {@code load^(2^i - 2)} over i from 1. M. Mitzenmacher, The Power of Two
   * Choices in Randomized Load Balancing, 1996 and 2001.
   *
   * @param load arrivals for each server in a unit, below 1
   */
  static double twoChoices(double load) {
    double sum = 0;
    double term = 1;
    for (int i = 1; term > 1e-12; i++) {
      term = Math.pow(load, Math.pow(2, i) - 2);
      sum += term;
    }
    return sum;
  }

  /** The mean time in one queue with Poisson arrivals: {@code 1 / (1 - load)}, in units. */
  static double oneQueue(double load) {
    return 1 / (1 - load);
  }

  /** What a share of the calls to one FIFO queue stay within, in units. */
  static double oneQueue(double load, double share) {
    return -Math.log(1 - share) / (1 - load);
  }

  /**
   * The mean number of balls in the fullest of n bins after n balls were thrown by chance, with the
   * balls of each bin as an independent Poisson number of mean 1.
   */
  static double fullestBin(int n) {
    double mean = 0;
    double probability = Math.exp(-1);
    double upTo = 0;
    for (int k = 0; k < 40; k++) {
      upTo += probability;
      probability /= k + 1;
      mean += 1 - Math.pow(Math.min(1, upTo), n);
    }
    return mean;
  }
}
