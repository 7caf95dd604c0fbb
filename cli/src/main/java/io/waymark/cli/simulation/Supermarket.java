package io.waymark.cli.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Many queues, and calls that join the shorter of two: one caller that knows all queues, so that
 * nothing but the selector itself is measured.
 */
public final class Supermarket {
  static final List<String> LOADS = List.of("0.7", "0.9", "0.95");

  private static final int MEMBERS = 500;
  private static final double WARM_UP = 200;
  private static final double MEASURED = 6_000;

  /** Less of it would differ from theory by chance alone. */
  private static final double LEAST_MEASURED = 3_000;

  private static final double TOLERANCE = 0.02;

  private Supermarket() {}

  /**
   * What came out.
   *
   * @param byLoad by arrivals for each member in a unit
   */
  public record Found(Map<String, Mean> byLoad) implements Findings {
    @Override
    public List<Check> checks() {
      List<Check> checks = new ArrayList<>();
      byLoad.forEach(
          (load, found) -> {
            checks.add(
                Check.near("mean time at load " + load, found.mean, found.formula, TOLERANCE));
            checks.add(
                Check.shown(
                    "  the same, any member by chance",
                    Formulas.oneQueue(Double.parseDouble(load)),
                    "1 / (1 - load)"));
          });
      return checks;
    }

    @Override
    public Panel panel() {
      List<Panel.Bar> bars = new ArrayList<>();
      byLoad.forEach(
          (load, found) -> {
            bars.add(Panel.Bar.ours("load " + load, found.mean, found.formula));
            bars.add(Panel.Bar.of("  by chance", Formulas.oneQueue(Double.parseDouble(load))));
          });
      return new Panel.Bars("Supermarket, 500 queues: mean time of a call", bars);
    }
  }

  /**
   * One load.
   *
   * @param mean the mean time of a call, in units
   * @param formula what theory has for endlessly many members
   */
  public record Mean(double mean, double formula) {}

  static Found run(Course course) {
    Map<String, Mean> byLoad = new LinkedHashMap<>();
    for (String load : LOADS) {
      double mean = mean(course, Double.parseDouble(load));
      byLoad.put(load, new Mean(mean, Formulas.twoChoices(Double.parseDouble(load))));
      course.done(byLoad.size(), LOADS.size());
    }
    return new Found(byLoad);
  }

  private static double mean(Course course, double load) {
    Chance chance = course.chance().in("load " + load);
    VirtualTime time = new VirtualTime();
    Caller caller = SelectorCaller.counting(MEMBERS, chance.of("picks"));
    Traffic traffic =
        new Traffic(time, chance, queues(time, MEMBERS), List.of(caller), load * MEMBERS);
    time.pass(WARM_UP);
    return traffic.measure(Math.max(LEAST_MEASURED, course.units(MEASURED))).mean();
  }

  /** Members that answer one call after the other and say nothing. */
  static List<Shard> queues(VirtualTime time, int members) {
    return Stream.generate(() -> Shard.silent(new FifoServer(time))).limit(members).toList();
  }
}
