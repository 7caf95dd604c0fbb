package io.waymark.bench.topology;

import java.time.Duration;
import java.util.List;

/**
 * How much is done with one contender.
 *
 * @param readers how many follow the one group
 * @param writers how many threads change groups at once
 * @param groups how many other groups they change, by turns
 * @param warmUp how long each of the two parts runs before it is measured
 * @param timed how long each is measured
 */
public record TopologyPlan(int readers, int writers, int groups, Duration warmUp, Duration timed) {
  private static final Duration STARTING = Duration.ofMinutes(1);

  /** About how long it takes. */
  public Duration usual() {
    return warmUp.plus(timed).multipliedBy(2).plusSeconds(10);
  }

  /** After how long something must be wrong. */
  Duration limit() {
    return usual().multipliedBy(2).plus(STARTING);
  }

  /** For a command line. */
  List<String> arguments() {
    return List.of(
        Integer.toString(readers),
        Integer.toString(writers),
        Integer.toString(groups),
        Long.toString(warmUp.toMillis()),
        Long.toString(timed.toMillis()));
  }

  /** From a command line. */
  static TopologyPlan of(List<String> arguments) {
    return new TopologyPlan(
        Integer.parseInt(arguments.get(0)),
        Integer.parseInt(arguments.get(1)),
        Integer.parseInt(arguments.get(2)),
        Duration.ofMillis(Long.parseLong(arguments.get(3))),
        Duration.ofMillis(Long.parseLong(arguments.get(4))));
  }
}
