package io.waymark.cli;

import io.waymark.cli.processes.Events;
import io.waymark.cli.processes.WorkerRow;
import java.util.ArrayList;
import java.util.List;

/** The parts that the live views of demos with processes of their own share. */
final class CrewFrame {
  private static final int PROCESSES = 12;

  private CrewFrame() {}

  /** A table of the processes. */
  static List<String> processes(String meaning, List<WorkerRow> rows) {
    List<String> lines = new ArrayList<>();
    lines.add(row("process", "state", "starts", meaning));
    rows.stream()
        .limit(PROCESSES)
        .map(each -> row(each.name(), each.state(), Text.count(each.starts()), each.meaning()))
        .forEach(lines::add);
    return lines;
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

  /** The lines with the latest events below, as wide and high as {@link DemoFrame}. */
  static List<String> fitting(List<String> lines, Events events) {
    List<String> all = new ArrayList<>(lines);
    events.latest().stream()
        .skip(Math.max(0, lines.size() + events.latest().size() - DemoFrame.ROWS))
        .map(event -> " " + event)
        .forEach(all::add);
    return all.stream().map(line -> Text.cut(line.stripTrailing(), DemoFrame.COLUMNS)).toList();
  }
}
