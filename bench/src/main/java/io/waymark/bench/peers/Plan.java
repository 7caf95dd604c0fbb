package io.waymark.bench.peers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How much is done in one round of one contender.
 *
 * @param warmUps how often each timed call is made before it is measured: by count, since a busy
 *     machine compiles later, and what has more code of its own would look slower than it is
 * @param timed how long each timed scenario is measured
 * @param ownWrites how often a write is read back while no replica replays
 * @param load how long reads are begun after a replica went away
 * @param patience after how long a read is given up that has neither answered nor failed
 * @param disk the folder for the servers' data, which is flushed there; empty for servers in memory
 */
public record Plan(
    int warmUps,
    Duration timed,
    int ownWrites,
    Duration load,
    Duration patience,
    Optional<Path> disk) {
  /** So many reads begin at once, so that a pool must give out several connections. */
  static final int AT_ONCE = 5;

  /** They begin every so often. */
  static final Duration EVERY = Duration.ofMillis(100);

  /** The longest time of reads before a replica goes away. */
  private static final Duration BEFORE = Duration.ofMillis(1500);

  /** A guess at what {@link #warmUps} calls of all kinds take. */
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  /** The longest that a warm-up should take, on a machine that does other things too. */
  private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(2);

  /** How long reads are begun before a replica goes away, so that pools are in use. */
  Duration before() {
    return load.compareTo(BEFORE) < 0 ? load : BEFORE;
  }

  /** About how long it takes. */
  public Duration usual() {
    return WARM_UP
        .plus(timed.multipliedBy(Scenario.timed().size()))
        .plus(load.multipliedBy(Scenario.outages().size()))
        .plusSeconds(15);
  }

  /** After how long something must be wrong. */
  Duration limit() {
    return LONGEST_WARM_UP
        .plus(timed.multipliedBy(Scenario.timed().size()))
        .plus(load.plus(patience).plusSeconds(20).multipliedBy(Scenario.outages().size()))
        .plusSeconds(30L + ownWrites);
  }

  /** For a command line. */
  List<String> arguments() {
    return List.of(
        Integer.toString(warmUps),
        Long.toString(timed.toMillis()),
        Integer.toString(ownWrites),
        Long.toString(load.toMillis()),
        Long.toString(patience.toMillis()),
        disk.map(Path::toString).orElse(""));
  }

  /** From a command line. */
  static Plan of(List<String> arguments) {
    return new Plan(
        Integer.parseInt(arguments.get(0)),
        Duration.ofMillis(Long.parseLong(arguments.get(1))),
        Integer.parseInt(arguments.get(2)),
        Duration.ofMillis(Long.parseLong(arguments.get(3))),
        Duration.ofMillis(Long.parseLong(arguments.get(4))),
        Optional.of(arguments.get(5)).filter(folder -> !folder.isEmpty()).map(Path::of));
  }
}
