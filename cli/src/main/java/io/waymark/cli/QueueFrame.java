package io.waymark.cli;

import io.waymark.cli.queue.QueueCounts;
import io.waymark.cli.queue.QueueState;
import java.util.ArrayList;
import java.util.List;

/** The live view of the demo of the queue. */
final class QueueFrame {
  private final Bars bars;

  QueueFrame(Bars bars) {
    this.bars = bars;
  }

  List<String> lines(QueueState state) {
    List<String> lines = new ArrayList<>();
    lines.add(
        " waymark demo queue | "
            + state.store()
            + " | "
            + state.settings().mailboxes()
            + " mailboxes on "
            + Text.many(state.settings().hosts(), "host")
            + " | "
            + Text.many(state.settings().producers(), "producer")
            + " | seed "
            + state.settings().seed());
    lines.add(" " + bars.progress(state.elapsed(), state.settings().duration()));
    lines.add(" now: " + state.phase());
    lines.add("");
    lines.addAll(CrewFrame.processes("what it has", state.processes()));
    lines.add("");
    QueueCounts counts = state.counts();
    lines.add(
        " accepted "
            + Text.count(counts.accepted())
            + "   delivered "
            + Text.count(counts.taken())
            + " (to two targets)   pending "
            + Text.count(counts.pending()));
    lines.add(
        " pushed again: outcome unknown "
            + Text.count(counts.unknown())
            + ", not sent "
            + Text.count(counts.notSent())
            + "   rejected "
            + Text.count(counts.rejected()));
    lines.add(
        " kills "
            + Text.count(counts.kills())
            + "   pauses "
            + Text.count(counts.pauses())
            + "   mailboxes opened "
            + Text.count(counts.opened())
            + ", lost to another host "
            + Text.count(counts.fenced()));
    lines.add("");
    return CrewFrame.fitting(lines, state.events());
  }
}
