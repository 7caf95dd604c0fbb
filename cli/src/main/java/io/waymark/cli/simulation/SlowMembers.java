package io.waymark.cli.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Members that are slow for a while, as one is whose neighbour on the machine is busy: 3 of 16 work
 * at 0.4 of their speed, and every 5 units one of the slow, by chance, recovers and another becomes
 * slow. Four callers that use 0.7 of what all can do; what a member works on shares its processor.
 */
public final class SlowMembers {
  private static final int MEMBERS = 16;
  private static final int CALLERS = 4;
  private static final int SUBSET = 8;
  private static final double LOAD = 0.7;
  private static final int SLOW = 3;
  private static final double SPEED = 0.4;
  private static final double MOVES_EVERY = 5;

  /** What all can do in a unit when some are slow. */
  private static final double CAPACITY = MEMBERS - SLOW * (1 - SPEED);

  /** With as many other subsets and other members that are slow. */
  private static final int TIMES = 8;

  private static final double MEASURED = 4_000;
  private static final double MOST = 0.4;

  private SlowMembers() {}

  /**
   * What 99 of 100 calls stayed within, in units.
   *
   * @param p99Random any member by chance
   * @param p99RoundRobin one after the other
   * @param p99TwoChoices bare two choices by the caller's own calls
   * @param p99Compatible the compatible policy
   * @param p99All the default policy over all members
   * @param p99Probing the same where members are also asked for their load, and answer at once
   * @param p99Named the default policy with subsets of 8 by the callers' names
   * @param p99Improved the default policy with subsets of 8 by the callers' numbers
   */
  public record Found(
      double p99Random,
      double p99RoundRobin,
      double p99TwoChoices,
      double p99Compatible,
      double p99All,
      double p99Probing,
      double p99Named,
      double p99Improved)
      implements Findings {
    @Override
    public List<Check> checks() {
      return List.of(
          Check.shown("p99, by chance", p99Random, "44 in a simulation of others"),
          Check.shown("p99, round robin", p99RoundRobin, "36"),
          Check.shown("p99, bare two choices", p99TwoChoices, "16.8"),
          Check.shown("p99, compatible policy", p99Compatible, ""),
          Check.shown("p99, default policy", p99All, ""),
          Check.shown(
              "p99, default policy, probing", p99Probing, "11.2 where both are asked first"),
          Check.shown("p99, default policy, subset of 8 by name", p99Named, "uneven"),
          Check.atMost(
              "p99, default policy, subset of 8 by number",
              p99Improved,
              MOST * p99Random,
              "0.4 of chance's"));
    }

    @Override
    public Panel panel() {
      return new Panel.Bars(
          "Slow members: 99 of 100 calls take at most",
          List.of(
              Panel.Bar.of("by chance", p99Random),
              Panel.Bar.of("round robin", p99RoundRobin),
              Panel.Bar.of("bare two choices", p99TwoChoices),
              Panel.Bar.of("compatible", p99Compatible),
              Panel.Bar.of("default", p99All),
              Panel.Bar.of("default, probing", p99Probing),
              Panel.Bar.of("default, subset by name", p99Named),
              Panel.Bar.ours("default, subset by number", p99Improved, MOST * p99Random)));
    }
  }

  /** A kind of callers, some of which look at the members themselves. */
  @FunctionalInterface
  private interface Kind {
    Caller caller(VirtualTime time, Chance chance, int number, List<Shard> shards);
  }

  static Found run(Course course) {
    List<Kind> all =
        List.of(
            (time, chance, number, shards) -> Controls.random(MEMBERS, chance.of("picks")),
            (time, chance, number, shards) -> Controls.roundRobin(MEMBERS, number * SUBSET / 2),
            (time, chance, number, shards) -> SelectorCaller.counting(MEMBERS, chance.of("picks")),
            (time, chance, number, shards) -> RoutedCaller.compatible(time, chance, MEMBERS),
            (time, chance, number, shards) -> RoutedCaller.improved(time, chance, MEMBERS),
            (time, chance, number, shards) ->
                RoutedCaller.probing(time, chance, MEMBERS, i -> shards.get(i).says()),
            (time, chance, number, shards) -> RoutedCaller.improved(time, chance, MEMBERS, SUBSET),
            (time, chance, number, shards) ->
                RoutedCaller.improved(time, chance, MEMBERS, SUBSET, number));
    List<Double> p99 = new ArrayList<>();
    for (Kind each : all) {
      p99.add(p99(course, each));
      course.done(p99.size(), all.size());
    }
    return new Found(
        p99.get(0),
        p99.get(1),
        p99.get(2),
        p99.get(3),
        p99.get(4),
        p99.get(5),
        p99.get(6),
        p99.get(7));
  }

  private static double p99(Course course, Kind kind) {
    Times all = new Times();
    for (int i = 0; i < TIMES; i++) {
      all.add(times(course.chance().in("time " + i), kind, course.units(MEASURED)));
    }
    return all.quantile(0.99);
  }

  private static Times times(Chance chance, Kind kind, double units) {
    VirtualTime time = new VirtualTime();
    List<SharingServer> servers =
        Stream.generate(() -> new SharingServer(time)).limit(MEMBERS).toList();
    List<Shard> shards = servers.stream().map(each -> Shard.observed(each, time)).toList();
    slowness(time, chance.of("slowness"), servers);
    CallerMaker maker = (at, own, number) -> kind.caller(at, own, number, shards);
    List<Caller> callers = maker.callers(CALLERS, time, chance);
    Traffic traffic = new Traffic(time, chance, shards, callers, LOAD * CAPACITY);
    time.pass(200);
    return traffic.measure(units);
  }

  /** From now on some are slow, in turns. */
  private static void slowness(
      VirtualTime time, SplittableRandom random, List<SharingServer> servers) {
    List<SharingServer> slow = new ArrayList<>();
    time.every(
        MOVES_EVERY,
        () -> {
          if (slow.size() == SLOW) {
            slow.remove(random.nextInt(SLOW)).speed(1);
          }
          while (slow.size() < SLOW) {
            SharingServer next = servers.get(random.nextInt(servers.size()));
            if (!slow.contains(next)) {
              next.speed(SPEED);
              slow.add(next);
            }
          }
        });
  }
}
