package io.waymark.cli;

import io.waymark.cli.processes.WorkerRow;
import io.waymark.cli.shards.ShardsCounts;
import io.waymark.cli.shards.ShardsSettings;
import io.waymark.cli.shards.ShardsState;
import io.waymark.core.OptionText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The demo of shards as plain lines, for a log or a pipe. */
final class ShardsLines implements Consumer<ShardsState> {
  private final PrintWriter out;
  private final CrewLines lines;

  ShardsLines(PrintWriter out) {
    this.out = out;
    this.lines = new CrewLines(out);
  }

  /** What is about to be started. */
  static String beginning(ShardsSettings settings) {
    return "Starting "
        + Text.many(settings.store().coordinators(), "coordinator")
        + " on "
        + OptionText.word(settings.store())
        + ", "
        + Text.many(settings.members(), "member")
        + " and "
        + Text.many(settings.readers(), "reader")
        + ", seed "
        + settings.seed()
        + " ...";
  }

  @Override
  public void accept(ShardsState state) {
    if (lines.tell(state.elapsed(), state.phase(), state.events())) {
      ShardsCounts counts = state.counts();
      out.printf(
          "%6.1f s  committed %s%n%11supdates %s, published %s, deliveries %s, went back: readers"
              + " %s, members %s%n",
          state.elapsed().toMillis() / 1000.0,
          state.committed(),
          "",
          Text.count(counts.updates()),
          Text.count(counts.published()),
          Text.count(counts.deliveries()),
          Text.count(counts.regressionsSeen()),
          Text.count(counts.staleDeliveriesApplied()));
      for (WorkerRow row : state.processes()) {
        if (row.name().startsWith("reader")) {
          out.printf("%11s%s (%s) %s%n", "", row.name(), row.state(), row.meaning());
        }
      }
    }
    out.flush();
  }

  /** What it has shown. */
  static List<String> ending(ShardsSettings settings, ShardsCounts.Outcome outcome) {
    ShardsCounts counts = outcome.counts();
    List<String> lines = new ArrayList<>();
    lines.add("");
    Table table = new Table("what", "count", "meaning");
    table.row("updates", Text.count(counts.updates()), "changes that a coordinator acknowledged");
    table.row("crashes", Text.count(counts.crashes()), "processes that were killed");
    table.row("pauses", Text.count(counts.pauses()), "processes that stood still for a while");
    table.row("published", Text.count(counts.published()), "snapshots that reached the store");
    table.row("deliveries", Text.count(counts.deliveries()), "limits that arrived at members");
    table.row("reads", Text.count(counts.reads()), "of readers, each compared with the one before");
    lines.addAll(table.lines());
    lines.add("from a change to a reader: " + ShardsFrame.propagation(counts));
    lines.add("");
    if (outcome.held()) {
      lines.add(
          "HELD: no acknowledged update is lost, nobody went back, and all ended with the newest.");
    } else {
      lines.add("NOT HELD (again with --seed " + settings.seed() + "):");
      outcome.problems().forEach(each -> lines.add("  " + each));
    }
    return lines;
  }
}
