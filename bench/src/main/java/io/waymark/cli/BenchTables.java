package io.waymark.cli;

import io.waymark.bench.peers.Bar;
import io.waymark.bench.peers.Contender;
import io.waymark.bench.peers.Result;
import io.waymark.bench.peers.Scenario;
import io.waymark.bench.peers.Standings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The standings for people, in 100 columns. */
final class BenchTables {
  private BenchTables() {}

  static List<String> lines(Standings standings) {
    List<String> lines = new ArrayList<>();
    lines.add("Time of a call, as a multiple of HikariCP's alone (95 %)");
    lines.addAll(times(standings).lines());
    lines.add("");
    lines.add("Reads that did not see an own write; without an answer, the slowest, over a second");
    lines.addAll(troubles(standings).lines());
    return lines;
  }

  private static Table times(Standings standings) {
    Table table = new Table("", "read in autocommit", "read-only transaction", "write transaction");
    table.row(
        "HikariCP alone",
        micros(standings, Scenario.READ),
        micros(standings, Scenario.READ_TRANSACTION),
        micros(standings, Scenario.WRITE));
    for (Contender contender : standings.results().keySet()) {
      table.row(
          contender.word(),
          cell(standings, contender, Scenario.READ),
          cell(standings, contender, Scenario.READ_TRANSACTION),
          cell(standings, contender, Scenario.WRITE));
    }
    return table;
  }

  private static String micros(Standings standings, Scenario scenario) {
    double micros = standings.controlMicros(scenario);
    return Double.isNaN(micros) ? "" : String.format(Locale.ROOT, "%.0f us", micros);
  }

  private static Table troubles(Standings standings) {
    Table table = new Table("", "own writes", "one replica killed", "one replica silent");
    for (Contender contender : standings.results().keySet()) {
      table.row(
          contender.word(),
          cell(standings, contender, Scenario.OWN_WRITES),
          cell(standings, contender, Scenario.KILLED),
          cell(standings, contender, Scenario.SILENT));
    }
    return table;
  }

  private static String cell(Standings standings, Contender contender, Scenario scenario) {
    return standings.has(contender, scenario) ? cell(standings.result(contender, scenario)) : "...";
  }

  /** One result in a few words. */
  static String cell(Result result) {
    if (result instanceof Result.Timed timed) {
      return String.format(
          Locale.ROOT,
          "%.2f (%.2f .. %.2f)",
          timed.ratio().middle(),
          timed.ratio().low(),
          timed.ratio().high());
    }
    if (result instanceof Result.OwnWrites own) {
      return own.stale()
          + " of "
          + own.reads()
          + (own.failed() == 0 ? "" : ", " + own.failed() + " failed");
    }
    if (result instanceof Result.Outage outage) {
      return (outage.failed() + outage.hung())
          + " of "
          + outage.reads()
          + ", "
          + (outage.hung() == 0 ? "" : "> ")
          + Text.duration(Duration.ofNanos((long) (outage.slowestMillis() * 1e6)))
          + ", "
          + Text.percent(outage.overASecond(), outage.reads());
    }
    return "no result";
  }

  /** One result, with where. */
  static String line(Result result) {
    return ", " + name(result.scenario()) + ": " + cell(result);
  }

  /** What held and what did not. */
  static List<String> lines(List<Bar> bars) {
    Table table = new Table("", "Waymark", "");
    for (Bar bar : bars) {
      table.row(bar.held() ? "held" : "NOT HELD", name(bar.scenario()), bar.words());
    }
    return table.lines();
  }

  private static String name(Scenario scenario) {
    return switch (scenario) {
      case READ -> "read in autocommit";
      case READ_TRANSACTION -> "read-only transaction";
      case WRITE -> "write transaction";
      case OWN_WRITES -> "own writes";
      case KILLED -> "one replica killed";
      case SILENT -> "one replica silent";
    };
  }
}
