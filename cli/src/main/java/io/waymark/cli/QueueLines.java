package io.waymark.cli;

import io.waymark.cli.queue.QueueCounts;
import io.waymark.cli.queue.QueueSettings;
import io.waymark.cli.queue.QueueState;
import io.waymark.core.OptionText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The demo of the queue as plain lines, for a log or a pipe. */
final class QueueLines implements Consumer<QueueState> {
  private final PrintWriter out;
  private final CrewLines lines;

  QueueLines(PrintWriter out) {
    this.out = out;
    this.lines = new CrewLines(out);
  }

  /** What is about to be started. */
  static String beginning(QueueSettings settings) {
    return "Starting "
        + Text.many(settings.hosts(), "host")
        + " of "
        + settings.mailboxes()
        + " mailboxes on "
        + OptionText.word(settings.store())
        + ", "
        + Text.many(settings.producers(), "producer")
        + " and "
        + Text.many(settings.targets(), "target")
        + ", seed "
        + settings.seed()
        + " ...";
  }

  @Override
  public void accept(QueueState state) {
    if (lines.tell(state.elapsed(), state.phase(), state.events())) {
      QueueCounts counts = state.counts();
      out.printf(
          "%6.1f s  accepted %s, delivered %s, pending %s, pushed again %s, rejected %s%n",
          state.elapsed().toMillis() / 1000.0,
          Text.count(counts.accepted()),
          Text.count(counts.taken()),
          Text.count(counts.pending()),
          Text.count(counts.unknown() + counts.notSent()),
          Text.count(counts.rejected()));
    }
    out.flush();
  }

  /** What it has shown. */
  static List<String> ending(QueueSettings settings, QueueCounts.Outcome outcome) {
    QueueCounts counts = outcome.counts();
    List<String> lines = new ArrayList<>();
    lines.add("");
    Table table = new Table("what", "count", "meaning");
    table.row("kills", Text.count(counts.kills()), "processes that were killed");
    table.row("pauses", Text.count(counts.pauses()), "processes that stood still for a while");
    table.row(
        "pushed again",
        Text.count(counts.unknown() + counts.notSent()),
        "pushes without an answer, made again under the same ids");
    table.row("accepted", Text.count(outcome.accepted()), "messages, as producers wrote down");
    table.row(
        "delivered",
        Text.count(outcome.delivered()),
        "of " + settings.targets() + " for each message, as consumers wrote down");
    table.row(
        "duplicatesByKey",
        Text.count(outcome.duplicatesByKey()),
        "deliveries that came once more: a consumer must bear them");
    table.row(
        "deadLettered",
        Text.count(outcome.deadLettered()),
        "messages that their consumer refused, kept aside");
    table.row("lost", Text.count(outcome.lost()), "must be 0");
    lines.addAll(table.lines());
    lines.add("");
    if (outcome.held()) {
      lines.add(
          "HELD: whatever was accepted is delivered to every target, or in the dead letters because"
              + " its consumer refused it.");
    } else {
      lines.add("NOT HELD (again with --seed " + settings.seed() + "):");
      outcome.problems().forEach(each -> lines.add("  " + each));
    }
    return lines;
  }
}
