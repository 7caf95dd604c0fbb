package io.waymark.cli.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Members that fail every call at once: whoever takes few calls under way for little load sends
 * them the most. 2 of 16, four callers, at a load of 0.7 on the members that work.
 */
public final class FailingMembers {
  private static final int MEMBERS = 16;
  private static final int BROKEN = 2;
  private static final int CALLERS = 4;
  private static final double LOAD = 0.7;
  private static final double WARM_UP = 500;
  private static final double MEASURED = 20_000;
  private static final double MOST = 0.03;

  private FailingMembers() {}

  /**
   * Which share of the calls went to the members that fail, after the policies had time to notice.
   *
   * @param random where each call goes anywhere
   * @param twoChoices with bare two choices by the caller's own calls
   * @param compatible with the compatible policy
   * @param improved with the default policy
   */
  public record Found(double random, double twoChoices, double compatible, double improved)
      implements Findings {
    @Override
    public List<Check> checks() {
      return List.of(
          Check.near("share, by chance", random, (double) BROKEN / MEMBERS, 0.1),
          Check.shown("share, bare two choices", twoChoices, "more than by chance"),
          Check.shown("share, compatible policy", compatible, ""),
          Check.atMost("share, default policy", improved, MOST));
    }

    @Override
    public Panel panel() {
      return new Panel.Bars(
          "2 of 16 members fail at once: their share of the calls",
          List.of(
              Panel.Bar.of("by chance", random),
              Panel.Bar.of("bare two choices", twoChoices),
              Panel.Bar.of("compatible", compatible),
              Panel.Bar.ours("default", improved, MOST)));
    }
  }

  static Found run(Course course) {
    List<CallerMaker> all =
        List.of(
            (time, chance, number) -> Controls.random(MEMBERS, chance.of("picks")),
            (time, chance, number) -> SelectorCaller.counting(MEMBERS, chance.of("picks")),
            (time, chance, number) -> RoutedCaller.compatible(time, chance, MEMBERS),
            (time, chance, number) -> RoutedCaller.improved(time, chance, MEMBERS));
    List<Double> shares = new ArrayList<>();
    for (CallerMaker each : all) {
      shares.add(share(course, each));
      course.done(shares.size(), all.size());
    }
    return new Found(shares.get(0), shares.get(1), shares.get(2), shares.get(3));
  }

  private static double share(Course course, CallerMaker maker) {
    Chance chance = course.chance();
    VirtualTime time = new VirtualTime();
    List<Shard> shards =
        Stream.generate(() -> Shard.observed(new FifoServer(time), time)).limit(MEMBERS).toList();
    List<Caller> callers = maker.callers(CALLERS, time, chance);
    shards.subList(0, BROKEN).forEach(each -> each.broken(true));
    Traffic traffic = new Traffic(time, chance, shards, callers, LOAD * (MEMBERS - BROKEN));
    time.pass(WARM_UP);
    int answered = traffic.measure(course.units(MEASURED)).count();
    return (double) traffic.failures() / (traffic.failures() + answered);
  }
}
