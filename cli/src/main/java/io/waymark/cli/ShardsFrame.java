package io.waymark.cli;

import io.waymark.cli.shards.ShardsCounts;
import io.waymark.cli.shards.ShardsState;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The live view of the demo of shards: as wide and high as {@link DemoFrame}. */
final class ShardsFrame {
  private static final int PROCESSES = 12;

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
    lines.add(row("process", "state", "starts", "what it has"));
    state.processes().stream()
        .limit(PROCESSES)
        .map(each -> row(each.name(), each.state(), Text.count(each.starts()), each.meaning()))
        .forEach(lines::add);
    lines.add("");
    counts(state.counts(), lines);
    lines.add("");
    state.events().stream()
        .skip(Math.max(0, lines.size() + state.events().size() - DemoFrame.ROWS))
        .map(event -> " " + event)
        .forEach(lines::add);
    return lines.stream().map(line -> Text.cut(line.stripTrailing(), DemoFrame.COLUMNS)).toList();
  }

  private static String row(String name, String state, String starts, String meaning) {
    return " "
        + Text.left(name, 14)
        + " "
        + Text.left(state, 9)
        + " "
        + Text.right(starts, 6)
        + "  "
        + meaning;
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
