package io.waymark.cli;

import java.io.PrintWriter;
import java.util.function.Consumer;

/** A running demo as plain lines, for a log or a pipe: one at every step, and one now and then. */
final class DemoOutput implements Consumer<DemoState> {
  private static final long EVERY_MILLIS = 2000;

  private final PrintWriter out;
  private long next;
  private String phase = "";

  DemoOutput(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void accept(DemoState state) {
    long now = state.elapsed().toMillis();
    if (!state.step().phase().equals(phase)) {
      phase = state.step().phase();
      out.printf("%5.1f s  == %s: %s%n", now / 1000.0, phase, state.step().meaning());
    }
    if (now >= next) {
      next = now + EVERY_MILLIS;
      Tally.Counts counts = state.counts();
      out.printf(
          "%5.1f s  writes %s, reads %s, from replicas %s, stale %s, failed %s%n",
          now / 1000.0,
          Text.count(counts.writes()),
          Text.count(counts.reads()),
          Text.percent(counts.fromReplicas(), counts.reads()),
          Text.count(counts.staleReads()),
          Text.count(counts.failedReads() + counts.failedWrites()));
    }
  }
}
