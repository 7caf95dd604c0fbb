package io.waymark.bench.routing;

import java.time.Duration;
import java.util.List;

/**
 * How much is done with one contender among one number of members.
 *
 * @param warmUp how long both run before each comparison
 * @param timed how long each comparison is
 */
public record RoutingPlan(Duration warmUp, Duration timed) {
  /** Among how many members is chosen. */
  public static final List<Integer> MEMBERS = List.of(16, 1_000);

  /** By how many threads at once. */
  public static final List<Integer> THREADS = List.of(1, 8);

  private static final Duration STARTING = Duration.ofSeconds(30);

  /** About how long it takes. */
  public Duration usual() {
    return warmUp.plus(timed).multipliedBy(THREADS.size()).plusSeconds(2);
  }

  /** After how long something must be wrong. */
  Duration limit() {
    return usual().multipliedBy(2).plus(STARTING);
  }

  /** For a command line. */
  List<String> arguments() {
    return List.of(Long.toString(warmUp.toMillis()), Long.toString(timed.toMillis()));
  }

  /** From a command line. */
  static RoutingPlan of(List<String> arguments) {
    return new RoutingPlan(
        Duration.ofMillis(Long.parseLong(arguments.get(0))),
        Duration.ofMillis(Long.parseLong(arguments.get(1))));
  }
}
