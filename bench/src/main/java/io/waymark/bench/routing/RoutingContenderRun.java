package io.waymark.bench.routing;

import io.waymark.bench.Pairs;
import io.waymark.bench.routing.RoutingResult.Figures;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * One contender among one number of members, by turns with Waymark, in a JVM of its own. Its result
 * is one line of JSON on stdout.
 */
public final class RoutingContenderRun {
  /** Long enough that a picker settles within it, as it does under steady load. */
  private static final int BLOCK = 100_000;

  private static final int BLOCK_OF_MANY = 200_000;

  private RoutingContenderRun() {}

  /**
   * Runs it.
   *
   * @param args the contender's constant, the number of members and the {@link RoutingPlan}
   */
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err); // stdout is for the result, whatever libraries think
    RoutingResult result =
        run(
            RoutingContender.valueOf(args[0]),
            Integer.parseInt(args[1]),
            RoutingPlan.of(Arrays.asList(args).subList(2, args.length)));
    out.println(JsonMapper.shared().writeValueAsString(result));
    System.exit(0); // what libraries leave running would hold it up
  }

  static RoutingResult run(RoutingContender contender, int members, RoutingPlan plan)
      throws Exception {
    Pairs.Turn<RuntimeException> control = RoutingContender.WAYMARK.open(members);
    Pairs.Turn<RuntimeException> subject = contender.open(members);
    List<Figures> figures = new ArrayList<>();
    for (int threads : RoutingPlan.THREADS) {
      figures.add(
          threads == 1
              ? figures(1, new Pairs<>(control, subject, BLOCK), plan)
              : figures(threads, control, subject, plan));
    }
    return new RoutingResult(contender.word(), members, figures, null);
  }

  private static Figures figures(
      int threads,
      Pairs.Turn<RuntimeException> control,
      Pairs.Turn<RuntimeException> subject,
      RoutingPlan plan)
      throws Exception {
    try (Crowd crowd = new Crowd(threads)) {
      return figures(
          threads,
          new Pairs<>(crowd.together(control), crowd.together(subject), BLOCK_OF_MANY),
          plan);
    }
  }

  private static <X extends Exception> Figures figures(
      int threads, Pairs<X> pairs, RoutingPlan plan) throws X {
    pairs.run(plan.warmUp());
    Pairs.Sample sample = pairs.run(plan.timed());
    boolean alone = threads == 1; // only the own thread's bytes are known
    double waymarkBytes = alone ? sample.controlBytes().middle() : 0;
    return new Figures(
        threads,
        sample.control(),
        sample.subject(),
        sample.ratio(),
        waymarkBytes,
        alone ? waymarkBytes + sample.addedBytes().middle() : 0);
  }
}
