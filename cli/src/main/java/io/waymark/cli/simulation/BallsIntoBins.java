package io.waymark.cli.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * As many calls as there are members, none of which ends: how many does the fullest member have?
 * With one choice it grows with the number of members, with two it hardly does. M. Mitzenmacher and
 * E. Upfal, Probability and Computing, chapter 14.
 */
public final class BallsIntoBins {
  private static final int FEW = 1_000;
  private static final int FEW_TIMES = 200;
  private static final int MANY = 100_000;
  private static final int MANY_TIMES = 12;

  private BallsIntoBins() {}

  /**
   * What came out.
   *
   * @param sizes one for each number of members
   */
  public record Found(List<Size> sizes) implements Findings {
    @Override
    public List<Check> checks() {
      List<Check> checks = new ArrayList<>();
      for (Size each : sizes) {
        String of = String.format(Locale.ROOT, "fullest of %,d", each.members);
        checks.add(
            Check.near(
                of + ", one choice, mean",
                each.oneChoice,
                Formulas.fullestBin(each.members),
                each.members == FEW ? 0.05 : 0.1));
        checks.add(Check.shown(of + ", two choices, mean", each.twoChoices, "3 to 4"));
        checks.add(Check.atMost(of + ", two choices, worst", each.twoChoicesWorst, 4));
      }
      return checks;
    }

    @Override
    public Panel panel() {
      List<Panel.Bar> bars = new ArrayList<>();
      for (Size each : sizes) {
        String of = String.format(Locale.ROOT, "%,d, ", each.members);
        bars.add(Panel.Bar.of(of + "one choice", each.oneChoice));
        bars.add(Panel.Bar.ours(of + "two choices", each.twoChoices, 4));
      }
      return new Panel.Bars("Balls into bins: calls at the fullest member, mean", bars);
    }
  }

  /**
   * One number of members.
   *
   * @param members how many
   * @param oneChoice what the fullest had, on average, where each call went anywhere
   * @param twoChoices the same with the product's selector
   * @param twoChoicesWorst the most that any had with the product's selector
   */
  public record Size(int members, double oneChoice, double twoChoices, int twoChoicesWorst) {}

  static Found run(Course course) {
    Size few = size(course, FEW, course.times(FEW_TIMES));
    course.done(1, 4);
    Size many = size(course, MANY, course.times(MANY_TIMES));
    return new Found(List.of(few, many));
  }

  private static Size size(Course course, int members, int times) {
    SplittableRandom one = course.chance().of("one " + members);
    SplittableRandom two = course.chance().of("two " + members);
    double ones = 0;
    double twos = 0;
    int worst = 0;
    for (int i = 0; i < times; i++) {
      ones += fullest(members, Controls.random(members, one));
      int fullest = fullest(members, SelectorCaller.counting(members, two));
      twos += fullest;
      worst = Math.max(worst, fullest);
    }
    return new Size(members, ones / times, twos / times, worst);
  }

  private static int fullest(int members, Caller caller) {
    int[] balls = new int[members];
    int fullest = 0;
    for (int i = 0; i < members; i++) {
      fullest = Math.max(fullest, ++balls[caller.begin().member()]);
    }
    return fullest;
  }
}
