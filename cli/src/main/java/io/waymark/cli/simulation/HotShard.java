package io.waymark.cli.simulation;

import io.waymark.cli.charts.Svg;
import io.waymark.topology.routing.RoutingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Numbered shards, whose number follows their backlog. First there is little to do, but one shard
 * has a backlog that stays, as a target that was removed leaves it: more shards do not help. Then
 * there is more to do than two shards can deliver, and more shards help. Then there is little
 * again.
 */
public final class HotShard {
  private static final int CALLERS = 4;
  private static final int MOST_SHARDS = 3_000;
  private static final long STUCK = 5_000;

  /** Deliveries in a unit, of one shard: 20 a second. */
  private static final double DELIVERS = 0.2;

  private static final double LITTLE = 0.1;
  private static final double MUCH = 1.6;
  private static final int NEEDED = (int) Math.round(MUCH / DELIVERS);
  private static final int SECOND = (int) (1_000_000_000 / VirtualTime.UNIT);
  private static final int EVERY_SECONDS = 15;

  /** Until when there is little, until when much, and until when little again; in seconds. */
  private static final List<Integer> PHASES = List.of(300, 900, 2_700);

  private HotShard() {}

  /**
   * What came out.
   *
   * @param widths over time
   */
  public record Found(List<Width> widths) implements Findings {
    @Override
    public List<Check> checks() {
      return List.of(
          Check.atMost("shards while one alone is hot, default, most", most(0), 3),
          Check.between(
              "shards for load that needs " + NEEDED + ", default",
              at(PHASES.get(1), Width::improved),
              NEEDED - 1,
              4 * NEEDED),
          Check.atMost(
              "shards half an hour later, default",
              at(PHASES.get(2), Width::improved),
              at(PHASES.get(1), Width::improved) / 2,
              "half of it"),
          Check.shown(
              "shards while one alone is hot, compatible",
              at(PHASES.get(0), Width::compatible),
              "more and more"),
          Check.shown(
              "shards half an hour later, compatible", at(PHASES.get(2), Width::compatible), ""));
    }

    private double most(int phase) {
      return widths.stream()
          .filter(each -> each.second <= PHASES.get(phase))
          .mapToDouble(Width::improved)
          .max()
          .orElse(0);
    }

    private double at(int second, ToDoubleFunction<Width> width) {
      return widths.stream()
          .filter(each -> each.second == second)
          .mapToDouble(width)
          .findFirst()
          .orElse(Double.NaN);
    }

    @Override
    public Panel panel() {
      return new Panel.Curves(
          "Hot shard until 300 s, load for " + NEEDED + " until 900 s: shards in use",
          "seconds",
          List.of(
              curve("default", Width::improved, true),
              curve("compatible, cut off", Width::compatible, false)));
    }

    private Panel.Curve curve(String name, ToDoubleFunction<Width> width, boolean ours) {
      double most = 3 * widths.stream().mapToDouble(Width::improved).max().orElse(1);
      return new Panel.Curve(
          name,
          widths.stream()
              .map(each -> new Svg.Point(each.second, Math.min(most, width.applyAsDouble(each))))
              .toList(),
          ours);
    }
  }

  /**
   * How many shards are used at one moment, on average of the callers.
   *
   * @param second since the beginning
   * @param improved with the default policy
   * @param compatible with the compatible policy
   */
  public record Width(int second, double improved, double compatible) {}

  static Found run(Course course) {
    List<Double> improved = widths(course, 0, RoutingPolicy.IMPROVED);
    List<Double> compatible = widths(course, 1, RoutingPolicy.COMPATIBLE);
    return new Found(
        IntStream.range(0, improved.size())
            .mapToObj(i -> new Width(i * EVERY_SECONDS, improved.get(i), compatible.get(i)))
            .toList());
  }

  private static List<Double> widths(Course course, int done, RoutingPolicy policy) {
    Chance chance = course.chance();
    VirtualTime time = new VirtualTime();
    List<Shard> shards = IntStream.range(0, MOST_SHARDS).mapToObj(i -> shard(time, i)).toList();
    List<RoutedCaller> callers =
        IntStream.range(0, CALLERS)
            .mapToObj(i -> RoutedCaller.numbered(policy, time, chance.in("caller " + i)))
            .toList();
    Traffic traffic = new Traffic(time, chance, shards, callers, LITTLE);
    List<Double> widths = new ArrayList<>();
    int end = PHASES.get(2);
    for (int second = 0; second <= end; second += EVERY_SECONDS) {
      widths.add(callers.stream().mapToInt(RoutedCaller::width).average().orElseThrow());
      traffic.rate(second >= PHASES.get(0) && second < PHASES.get(1) ? MUCH : LITTLE);
      time.pass(EVERY_SECONDS * SECOND);
      course.done(done * end + second, 2 * end);
    }
    return widths;
  }

  private static Shard shard(VirtualTime time, int number) {
    Backlog backlog = new Backlog(time, DELIVERS, number == 0 ? STUCK : 0);
    Server server = new FifoServer(time);
    Shard shard =
        Shard.observed(
            (work, done) -> {
              backlog.add();
              server.take(work, done);
            },
            time);
    shard.backlog(backlog::pending);
    return shard;
  }
}
