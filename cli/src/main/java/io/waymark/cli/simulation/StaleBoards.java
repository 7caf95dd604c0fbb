package io.waymark.cli.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Queues whose lengths are posted rarely. M. Mitzenmacher, How Useful Is Old Information?, 2000:
 * whoever takes the best of all by an old board makes it worse than chance, and two choices stay
 * good for long. The default policy sees the same boards, but only with the answers to its own
 * calls, and each of several callers knows only its own calls.
 */
public final class StaleBoards {
  private static final int MEMBERS = 100;
  private static final double LOAD = 0.9;
  private static final int CALLERS = 4;
  private static final int MANY_CALLERS = 20;
  private static final double MEASURED = 4_000;
  private static final double TOLERANCE = 0.1;

  /** What the two choices have at each age of the board: simulations of others. */
  private static final Map<String, Double> KNOWN = Map.of("10", 5.1, "50", 12.4);

  private StaleBoards() {}

  /**
   * What came out.
   *
   * @param byAge by the time between two boards, in units
   */
  public record Found(Map<String, Means> byAge) implements Findings {
    @Override
    public List<Check> checks() {
      List<Check> checks = new ArrayList<>();
      byAge.forEach(
          (age, means) -> {
            String every = "board every " + age + ", mean time: ";
            double known = KNOWN.getOrDefault(age, 0.0);
            checks.add(Check.near(every + "two choices", means.meanP2c, known, TOLERANCE));
            checks.add(
                Check.atMost(
                    every + "default policy",
                    means.meanDefault,
                    means.meanP2c,
                    "the two choices'"));
            checks.add(
                Check.shown(every + "default policy, 20 callers", means.meanManyCallers, ""));
            checks.add(
                Check.near(
                    every + "by chance", means.meanRandom, Formulas.oneQueue(LOAD), TOLERANCE));
          });
      return checks;
    }

    @Override
    public Panel panel() {
      List<Panel.Bar> bars = new ArrayList<>();
      byAge.forEach(
          (age, means) -> {
            bars.add(Panel.Bar.of("every " + age + ", by chance", means.meanRandom));
            bars.add(Panel.Bar.of("every " + age + ", two choices", means.meanP2c));
            bars.add(
                Panel.Bar.ours("every " + age + ", default", means.meanDefault, means.meanP2c));
          });
      return new Panel.Bars("Stale boards: mean time of a call", bars);
    }
  }

  /**
   * Mean times of a call at one age of the board, in units.
   *
   * @param meanP2c bare two choices by the board
   * @param meanDefault the default policy, 4 callers
   * @param meanManyCallers the default policy, 20 callers, each of which knows a twentieth
   * @param meanRandom any member by chance
   */
  public record Means(
      double meanP2c, double meanDefault, double meanManyCallers, double meanRandom) {}

  static Found run(Course course) {
    Map<String, Means> byAge = new LinkedHashMap<>();
    int done = 0;
    for (String age : List.of("10", "50")) {
      Chance chance = course.chance().in("age " + age);
      double every = Double.parseDouble(age);
      double p2c = bare(course, chance, every);
      course.done(++done, 8);
      double routed = routed(course, chance, every, CALLERS);
      course.done(++done, 8);
      double many = routed(course, chance, every, MANY_CALLERS);
      course.done(++done, 8);
      double random = random(course, chance);
      course.done(++done, 8);
      byAge.put(age, new Means(p2c, routed, many, random));
    }
    return new Found(byAge);
  }

  private static double bare(Course course, Chance chance, double every) {
    VirtualTime time = new VirtualTime();
    List<Shard> shards = Supermarket.queues(time, MEMBERS);
    int[] board = new int[MEMBERS];
    time.every(
        every, () -> IntStream.range(0, MEMBERS).forEach(i -> board[i] = shards.get(i).inside()));
    Caller caller = SelectorCaller.reading(board, chance.of("picks"));
    return mean(course, chance, time, shards, List.of(caller));
  }

  private static double routed(Course course, Chance chance, double every, int count) {
    VirtualTime time = new VirtualTime();
    List<Shard> shards =
        Stream.generate(() -> Shard.observed(new FifoServer(time), time)).limit(MEMBERS).toList();
    time.every(every, () -> shards.forEach(Shard::post));
    CallerMaker maker = (at, own, number) -> RoutedCaller.improved(at, own, MEMBERS);
    List<Caller> callers = maker.callers(count, time, chance);
    return mean(course, chance, time, shards, callers);
  }

  private static double random(Course course, Chance chance) {
    VirtualTime time = new VirtualTime();
    Caller caller = Controls.random(MEMBERS, chance.of("picks"));
    return mean(course, chance, time, Supermarket.queues(time, MEMBERS), List.of(caller));
  }

  private static double mean(
      Course course, Chance chance, VirtualTime time, List<Shard> shards, List<Caller> callers) {
    Traffic traffic = new Traffic(time, chance, shards, callers, LOAD * MEMBERS);
    time.pass(500);
    return traffic.measure(course.units(MEASURED)).mean();
  }
}
