package io.waymark.cli.simulation;

import java.util.function.DoubleConsumer;

/**
 * How a scenario is run.
 *
 * @param chance what it draws from
 * @param length how much of it is run: 1 for all, less for a quick look
 * @param progress is told how much of it is done, from 0 to 1
 */
record Course(Chance chance, double length, DoubleConsumer progress) {
  /** So many of something, as the length goes; at least one. */
  int times(int all) {
    return (int) Math.max(1, Math.round(all * length));
  }

  /** So many units, as the length goes. */
  double units(double all) {
    return all * length;
  }

  /** Tells that this many parts of all are done. */
  void done(int parts, int all) {
    progress.accept((double) parts / all);
  }
}
