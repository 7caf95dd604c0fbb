package io.waymark.cli;

import io.waymark.postgres.Consistency;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a demo has shown, in words. */
final class DemoSummary {
  private DemoSummary() {}

  /** What is about to be started. */
  static String beginning(DemoSettings settings) {
    return "Starting PostgreSQL with "
        + Text.many(settings.replicas(), "replica")
        + (settings.flushedCommits() ? "" : ", synchronous_commit off")
        + (settings.idleWriter() ? ", beside an idle writer" : "")
        + " ...";
  }

  static List<String> lines(DemoSettings settings, Tally.Counts counts) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        "writes "
            + Text.count(counts.writes())
            + " ("
            + counts.writeLatency().text()
            + "), reads "
            + Text.count(counts.reads())
            + " ("
            + counts.readLatency().text()
            + ")");
    lines.add("reads served by replicas: " + Text.percent(counts.fromReplicas(), counts.reads()));
    lines.add("");
    Table table = new Table("reads by", "reads", "share");
    rows(table, counts.readsByEndpoint(), counts.reads());
    rows(table, counts.readsByReason(), counts.reads());
    lines.addAll(table.lines());
    if (counts.endsLost() > 0) {
      lines.add(
          Text.many(counts.endsLost(), "read-only transaction")
              + " had the answer when the server died, and could not be ended in order.");
    }
    lines.add("");
    lines.addAll(verdict(settings, counts));
    return lines;
  }

  private static void rows(Table table, Map<String, Long> reads, long all) {
    reads.forEach((name, count) -> table.row(name, Text.count(count), Text.percent(count, all)));
  }

  private static List<String> verdict(DemoSettings settings, Tally.Counts counts) {
    List<String> lines = new ArrayList<>();
    if (counts.held()) {
      lines.add("HELD: no read missed what its own session had written, and nothing failed.");
      return lines;
    }
    lines.add(
        "NOT HELD: stale reads "
            + Text.count(counts.staleReads())
            + ", failed reads "
            + Text.count(counts.failedReads())
            + ", failed writes "
            + Text.count(counts.failedWrites())
            + ".");
    if (counts.reads() == 0 || counts.writes() == 0) {
      lines.add("Too little was done to check anything: give it more --seconds.");
    }
    if (counts.staleReads() > 0 && settings.consistency() == Consistency.EVENTUAL) {
      lines.add(
          "With eventual consistency a read may miss its own session's writes; with --consistency"
              + " session none does.");
    }
    if (counts.lastFailure() != null) {
      lines.add("The last failure: " + counts.lastFailure());
    }
    return lines;
  }
}
