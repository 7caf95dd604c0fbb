package io.waymark.bench.peers;

import java.time.Duration;
import java.util.List;

/**
 * How much is done in one round of one contender.
 *
 * @param timed how long each timed scenario is measured, after a warm-up
 * @param ownWrites how often a write is read back while no replica replays
 * @param load how long reads are begun after a replica went away
 * @param patience after how long a read is given up that has neither answered nor failed
 */
public record Plan(Duration timed, int ownWrites, Duration load, Duration patience) {
  /** One read begins every so often. */
  static final Duration EVERY = Duration.ofMillis(20);

  /** Before anything is measured. */
  Duration warmUp() {
    return timed.dividedBy(2).plusMillis(500);
  }

  /** About how long it takes. */
  public Duration usual() {
    return warmUp()
        .plus(timed)
        .multipliedBy(Scenario.timed().size())
        .plus(load.multipliedBy(Scenario.outages().size()))
        .plusSeconds(15);
  }

  /** After how long something must be wrong. */
  Duration limit() {
    return warmUp()
        .plus(timed)
        .multipliedBy(Scenario.timed().size())
        .plus(load.plus(patience).plusSeconds(20).multipliedBy(Scenario.outages().size()))
        .plusSeconds(30L + ownWrites);
  }

  /** For a command line. */
  List<String> arguments() {
    return List.of(
        Long.toString(timed.toMillis()),
        Integer.toString(ownWrites),
        Long.toString(load.toMillis()),
        Long.toString(patience.toMillis()));
  }

  /** From a command line. */
  static Plan of(List<String> arguments) {
    return new Plan(
        Duration.ofMillis(Long.parseLong(arguments.get(0))),
        Integer.parseInt(arguments.get(1)),
        Duration.ofMillis(Long.parseLong(arguments.get(2))),
        Duration.ofMillis(Long.parseLong(arguments.get(3))));
  }
}
