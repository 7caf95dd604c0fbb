package io.waymark.bench.routing;

import io.waymark.bench.Pairs;
import java.util.Locale;

/** Who is compared with Waymark's default policy. */
public enum RoutingContender {
  /** Waymark itself: what the method cannot tell apart. */
  WAYMARK("Waymark's default policy once more") {
    @Override
    Pairs.Turn<RuntimeException> open(int members) {
      return new WaymarkPicks(members);
    }
  },

  /** Finagle, by calls in flight. */
  FINAGLE_P2C("Finagle's two choices, by calls in flight") {
    @Override
    Pairs.Turn<RuntimeException> open(int members) {
      return FinaglePicks.leastLoaded(members);
    }
  },

  /** Finagle, by latency and calls in flight. */
  FINAGLE_PEAK_EWMA("Finagle's two choices, by Peak EWMA") {
    @Override
    Pairs.Turn<RuntimeException> open(int members) {
      return FinaglePicks.peakEwma(members);
    }
  };

  private final String description;

  RoutingContender(String description) {
    this.description = description;
  }

  /** As it is written on a command line and in a table. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it is, in a few words. */
  public String description() {
    return description;
  }

  /** Picks among this many members, each pick released at once. Thread safe. */
  abstract Pairs.Turn<RuntimeException> open(int members);
}
