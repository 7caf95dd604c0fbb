package io.waymark.cli.simulation;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Small cases, each for one reason why the default policy differs from the compatible one: two
 * members, where two candidates that may be the same are often no choice; calls that come in
 * bursts, all of which see the same loads until the first answer; and members whose clocks are two
 * minutes late, so that all that they say seems too old to count.
 */
public final class SmallCases {
  private static final double LOAD = 0.9;
  private static final int MEMBERS = 16;
  private static final int BURST = 32;
  private static final Duration LATE = Duration.ofMinutes(-2);
  private static final double MOST = 0.95;
  private static final double MEASURED = 20_000;

  private SmallCases() {}

  /**
   * Mean times of a call, in units.
   *
   * @param two two members at a load of 0.9
   * @param bursts 16 members, 32 calls at once and then nothing for a while
   * @param lateClocks 16 members at a load of 0.9, whose clocks are late
   */
  public record Found(Pair two, Pair bursts, Pair lateClocks) implements Findings {
    @Override
    public List<Check> checks() {
      return List.of(
          Check.shown("two members, mean time: compatible", two.compatible, ""),
          atMost("two members, mean time: default", two),
          Check.shown("bursts of 32 to 16 members: compatible", bursts.compatible, ""),
          atMost("bursts of 32 to 16 members: default", bursts),
          Check.near(
              "members' clocks 2 min late: compatible",
              lateClocks.compatible,
              Formulas.oneQueue(LOAD),
              0.15),
          atMost("members' clocks 2 min late: default", lateClocks));
    }

    private static Check atMost(String what, Pair pair) {
      return Check.atMost(what, pair.improved, MOST * pair.compatible, "0.95 of that");
    }

    @Override
    public Panel panel() {
      return new Panel.Bars(
          "Small cases: mean time of a call",
          List.of(
              Panel.Bar.of("two members, compatible", two.compatible),
              Panel.Bar.ours("two members, default", two.improved, MOST * two.compatible),
              Panel.Bar.of("bursts, compatible", bursts.compatible),
              Panel.Bar.ours("bursts, default", bursts.improved, MOST * bursts.compatible),
              Panel.Bar.of("late clocks, compatible", lateClocks.compatible),
              Panel.Bar.ours(
                  "late clocks, default", lateClocks.improved, MOST * lateClocks.compatible)));
    }
  }

  /**
   * The two policies beside each other.
   *
   * @param compatible the compatible policy
   * @param improved the default policy
   */
  public record Pair(double compatible, double improved) {}

  static Found run(Course course) {
    Pair two = steady(course, "two", 2, Duration.ZERO);
    course.done(1, 3);
    Pair bursts = bursts(course);
    course.done(2, 3);
    return new Found(two, bursts, steady(course, "late", MEMBERS, LATE));
  }

  private static Pair steady(Course course, String name, int members, Duration fast) {
    Chance chance = course.chance().in(name);
    return new Pair(
        steady(
            course, chance, members, fast, (t, own, i) -> RoutedCaller.compatible(t, own, members)),
        steady(
            course, chance, members, fast, (t, own, i) -> RoutedCaller.improved(t, own, members)));
  }

  private static double steady(
      Course course, Chance chance, int members, Duration fast, CallerMaker maker) {
    VirtualTime time = new VirtualTime();
    List<Shard> shards = shards(time, members, fast);
    List<Caller> callers = maker.callers(1, time, chance);
    Traffic traffic = new Traffic(time, chance, shards, callers, LOAD * members);
    time.pass(500);
    return traffic.measure(course.units(MEASURED)).mean();
  }

  private static Pair bursts(Course course) {
    Chance chance = course.chance().in("bursts");
    return new Pair(
        bursts(course, chance, (t, own, i) -> RoutedCaller.compatible(t, own, MEMBERS)),
        bursts(course, chance, (t, own, i) -> RoutedCaller.improved(t, own, MEMBERS)));
  }

  private static double bursts(Course course, Chance chance, CallerMaker maker) {
    VirtualTime time = new VirtualTime();
    List<Shard> shards = shards(time, MEMBERS, Duration.ZERO);
    List<Caller> callers = maker.callers(1, time, chance);
    Traffic traffic = new Traffic(time, chance, shards, callers, 0.01);
    time.every(4, () -> traffic.burst(BURST));
    time.pass(100);
    return traffic.measure(course.units(MEASURED)).mean();
  }

  private static List<Shard> shards(VirtualTime time, int members, Duration fast) {
    return Stream.generate(() -> Shard.observed(new FifoServer(time), time, fast))
        .limit(members)
        .toList();
  }
}
