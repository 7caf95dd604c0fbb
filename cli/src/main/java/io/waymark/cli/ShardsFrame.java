package io.waymark.cli;

import io.waymark.cli.shards.ShardsCounts;
import io.waymark.cli.shards.ShardsState;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The live view of the demo of shards: as wide and high as {@link DemoFrame}. */
final class ShardsFrame {
  private final Bars bars;

  ShardsFrame(Bars bars) {
    this.bars = bars;
  }

  List<String> lines(ShardsState state) {
    List<String> lines = new ArrayList<>();
    lines.add(
        " waymark demo shards | "
            + state.store()
            + " | "
            + Text.many(state.settings().store().coordinators(), "coordinator")
            + " | "
            + Text.many(state.settings().members(), "member")
            + " | "
            + Text.many(state.settings().readers(), "reader")
            + " | seed "
            + state.settings().seed());
    lines.add(" " + bars.progress(state.elapsed(), state.settings().duration()));
    lines.add(" now: " + state.phase());
    lines.add("");
    lines.add(" committed: " + state.committed());
    lines.add("");
    lines.addAll(CrewFrame.processes("what it has", state.processes()));
    lines.add("");
    counts(state.counts(), lines);
    lines.add("");
    return CrewFrame.fitting(lines, state.events());
  }

  private static void counts(ShardsCounts counts, List<String> lines) {
    lines.add(
        " updates "
            + Text.count(counts.updates())
            + " (and "
            + Text.count(counts.unknownUpdates())
            + " not answered)   published "
            + Text.count(counts.published())
            + "   deliveries "
            + Text.count(counts.deliveries())
            + "   reads "
            + Text.count(counts.reads()));
    lines.add(
        " crashes "
            + Text.count(counts.crashes())
            + "   pauses "
            + Text.count(counts.pauses())
            + "   change to reader: "
            + propagation(counts));
    lines.add(
        " readers went back "
            + Text.count(counts.regressionsSeen())
            + "   members went back "
            + Text.count(counts.staleDeliveriesApplied()));
  }

  static String propagation(ShardsCounts counts) {
    return "p50 " + text(counts.p50Micros()) + ", p99 " + text(counts.p99Micros());
  }

  private static String text(long micros) {
    return Text.duration(Duration.of(micros, ChronoUnit.MICROS));
  }
}
