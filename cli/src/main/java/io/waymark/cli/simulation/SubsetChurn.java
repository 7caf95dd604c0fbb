package io.waymark.cli.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Members come and go one at a time under callers that each keep to a subset: how many of a
 * caller's members are new to it after one change? Each new one is a new connection.
 */
public final class SubsetChurn {
  private static final int CALLERS = 100;
  private static final int MEMBERS = 40;
  private static final int SUBSET = 8;
  private static final int CHANGES = 200;

  private SubsetChurn() {}

  /**
   * What came out.
   *
   * @param most the most members that one change gave to one caller
   * @param mean what it gave on average to a caller whose subset goes by its name
   * @param meanNumbered the same where it goes by its number
   */
  public record Found(int most, double mean, double meanNumbered) implements Findings {
    @Override
    public List<Check> checks() {
      return List.of(
          Check.atMost("new members of a caller by one change, most", most, 1),
          Check.near("  on average, subset by name", mean, (double) SUBSET / MEMBERS, 0.25),
          Check.shown("  on average, subset by number", meanNumbered, "more, and evenly spread"));
    }

    @Override
    public Panel panel() {
      return new Panel.Bars(
          "Subset of 8 of 40: new members of a caller by one change",
          List.of(
              Panel.Bar.ours("most", most, 1),
              Panel.Bar.of("mean, by name", mean),
              Panel.Bar.of("mean, by number", meanNumbered)));
    }
  }

  static Found run(Course course) {
    SplittableRandom random = course.chance().of("changes");
    List<Integer> members = new ArrayList<>(IntStream.range(0, MEMBERS).boxed().toList());
    List<RoutedCaller> named =
        callers(course, (time, own, number) -> RoutedCaller.improved(time, own, MEMBERS, SUBSET));
    List<RoutedCaller> numbered =
        callers(
            course,
            (time, own, number) -> RoutedCaller.improved(time, own, MEMBERS, SUBSET, number));
    Fresh ofNamed = new Fresh();
    Fresh ofNumbered = new Fresh();
    int changes = course.times(CHANGES);
    for (int change = 0; change < changes; change++) {
      // every other time one comes, so that there are about as many all the time
      if (change % 2 == 0) {
        members.remove(random.nextInt(members.size()));
      } else {
        members.add(random.nextInt(members.size()), MEMBERS + change);
      }
      named.forEach(each -> ofNamed.add(fresh(each, members)));
      numbered.forEach(each -> ofNumbered.add(fresh(each, members)));
      course.done(change, changes);
    }
    return new Found(Math.max(ofNamed.most, ofNumbered.most), ofNamed.mean(), ofNumbered.mean());
  }

  /** Makes the caller of a number. */
  @FunctionalInterface
  private interface Maker {
    RoutedCaller caller(VirtualTime time, Chance chance, int number);
  }

  private static List<RoutedCaller> callers(Course course, Maker maker) {
    return IntStream.range(0, CALLERS)
        .mapToObj(i -> maker.caller(new VirtualTime(), course.chance().in("caller " + i), i))
        .toList();
  }

  /** Counts of members that were new to a caller after one change. */
  private static final class Fresh {
    private int most;
    private long all;
    private int counts;

    void add(int fresh) {
      most = Math.max(most, fresh);
      all += fresh;
      counts++;
    }

    double mean() {
      return (double) all / counts;
    }
  }

  /** How many members are new to it when the members are these. */
  private static int fresh(RoutedCaller caller, List<Integer> members) {
    Set<Integer> before = Set.copyOf(caller.used());
    caller.members(members);
    Set<Integer> fresh = new HashSet<>(caller.used());
    fresh.removeAll(before);
    return fresh.size();
  }
}
