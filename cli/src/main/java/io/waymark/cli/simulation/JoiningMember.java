package io.waymark.cli.simulation;

import io.waymark.cli.charts.Svg;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A member joins 16 others under steady load. It is to get a growing part of what each other member
 * gets, until its slow start is over, and no flood before its first answer.
 */
public final class JoiningMember {
  private static final int MEMBERS = 16;
  private static final int CALLERS = 4;
  private static final double LOAD = 0.7;
  private static final int TIMES = 10;

  /** Parts of the slow start in which calls are counted, and how many of them. */
  private static final int PARTS = 20;

  private static final int COUNTED = 26;

  private JoiningMember() {}

  /**
   * What came out: calls of the new member as a part of what each other member got, by twentieths
   * of the slow start.
   *
   * @param improved with the default policy
   * @param compatible with the compatible policy
   */
  public record Found(List<Double> improved, List<Double> compatible) implements Findings {
    /** The part that it gets when so much of its slow start has passed. */
    public double at(double share) {
      int index = (int) Math.round(share * PARTS);
      return (improved.get(index - 1) + improved.get(index)) / 2;
    }

    @Override
    public List<Check> checks() {
      return List.of(
          Check.between("part of the others' calls, 10 % of slow start", at(0.1), 0.05, 0.35),
          Check.between("part of the others' calls, 50 %", at(0.5), 0.35, 0.85),
          Check.between("part of the others' calls, afterwards", after(), 0.9, 1.1),
          Check.shown("compatible policy, in the first twentieth", compatible.get(0), ""));
    }

    /** Its part by percent of the slow start; 100 is afterwards. */
    public Map<String, Double> byPercent() {
      Map<String, Double> parts = new LinkedHashMap<>();
      parts.put("10", at(0.1));
      parts.put("50", at(0.5));
      parts.put("100", after());
      return parts;
    }

    /** The part that it gets afterwards. */
    public double after() {
      return improved.subList(PARTS + 1, COUNTED).stream()
          .mapToDouble(each -> each)
          .average()
          .orElseThrow();
    }

    @Override
    public Panel panel() {
      return new Panel.Curves(
          "A joining member: its part of what others get",
          "% of slow start",
          List.of(curve("default", improved, true), curve("compatible", compatible, false)));
    }

    private static Panel.Curve curve(String name, List<Double> parts, boolean ours) {
      List<Svg.Point> points = new ArrayList<>();
      for (int i = 0; i < parts.size(); i++) {
        points.add(new Svg.Point((i + 0.5) * 100 / PARTS, parts.get(i)));
      }
      return new Panel.Curve(name, points, ours);
    }
  }

  static Found run(Course course) {
    int times = course.times(TIMES);
    return new Found(
        parts(course, 0, times, (time, own) -> RoutedCaller.improved(time, own, MEMBERS)),
        parts(course, times, times, (time, own) -> RoutedCaller.compatible(time, own, MEMBERS)));
  }

  private static List<Double> parts(
      Course course, int done, int times, BiFunction<VirtualTime, Chance, RoutedCaller> maker) {
    long[] fresh = new long[COUNTED];
    long[] others = new long[COUNTED];
    for (int i = 0; i < times; i++) {
      count(course.chance().in("time " + i), maker, fresh, others);
      course.done(done + i, 2 * times);
    }
    List<Double> parts = new ArrayList<>();
    for (int i = 0; i < COUNTED; i++) {
      parts.add((double) fresh[i] * MEMBERS / others[i]);
    }
    return parts;
  }

  private static void count(
      Chance chance,
      BiFunction<VirtualTime, Chance, RoutedCaller> maker,
      long[] fresh,
      long[] others) {
    VirtualTime time = new VirtualTime();
    List<Shard> shards =
        Stream.generate(() -> Shard.observed(new FifoServer(time), time))
            .limit(MEMBERS + 1)
            .toList();
    List<RoutedCaller> callers =
        IntStream.range(0, CALLERS)
            .mapToObj(i -> maker.apply(time, chance.in("caller " + i)))
            .toList();
    new Traffic(time, chance, shards, callers, LOAD * MEMBERS);
    time.pass(2 * VirtualTime.units(RoutedCaller.SLOW_START.toNanos()));
    List<Integer> more = IntStream.rangeClosed(0, MEMBERS).boxed().toList();
    callers.forEach(each -> each.members(more));
    Shard joined = shards.get(MEMBERS);
    for (int i = 0; i < COUNTED; i++) {
      long freshBefore = joined.taken();
      long allBefore = all(shards);
      time.pass(VirtualTime.units(RoutedCaller.SLOW_START.toNanos()) / PARTS);
      fresh[i] += joined.taken() - freshBefore;
      others[i] += all(shards) - allBefore - (joined.taken() - freshBefore);
    }
  }

  private static long all(List<Shard> shards) {
    return shards.stream().mapToLong(Shard::taken).sum();
  }
}
