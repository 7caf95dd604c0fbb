package io.waymark.cli.simulation;

import java.util.List;

/** What a scenario has found. */
public interface Findings {
  /** Its numbers beside what was to be expected. */
  List<Check> checks();

  /** Its part of the chart. */
  Panel panel();
}
