package io.waymark.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows with a heading, each column as wide as its longest cell. */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... headings) {
    rows.add(List.of(headings));
  }

  void row(String... cells) {
    rows.add(List.of(cells));
  }

  List<String> lines() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(Text.left(row.get(i), widths[i])).append("  ");
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
