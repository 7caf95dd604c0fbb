package io.waymark.cli.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers and traffic against what is known of one queue. */
class QueuesTest {
  private static final long UNIT = VirtualTime.UNIT;

  private final VirtualTime time = new VirtualTime();

  @ParameterizedTest
  @ValueSource(doubles = {0.7, 0.9})
  void oneFifoQueueTakesAsLongAsTheFormulaSays(double load) {
    Times times = oneQueue(load, FifoServer::new);

    assertThat(times.mean()).isCloseTo(Formulas.oneQueue(load), withinPercentage(4));
    assertThat(times.quantile(0.99)).isCloseTo(Formulas.oneQueue(load, 0.99), withinPercentage(6));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.7, 0.9})
  void aProcessorThatIsSharedTakesTheSameOnAverageButMoreAtTheTail(double load) {
    Times times = oneQueue(load, SharingServer::new);

    assertThat(times.mean()).isCloseTo(Formulas.oneQueue(load), withinPercentage(4));
    assertThat(times.quantile(0.99)).isGreaterThan(1.1 * Formulas.oneQueue(load, 0.99));
  }

  private Times oneQueue(double load, Function<VirtualTime, Server> server) {
    Chance chance = new Chance(1);
    List<Shard> one = List.of(Shard.silent(server.apply(time)));
    Traffic traffic = new Traffic(time, chance, one, List.of(Controls.roundRobin(1, 0)), load);
    time.pass(1_000);
    return traffic.measure(1_000_000);
  }

  @Test
  void callsThatShareAProcessorTakeTurnsFairly() {
    SharingServer server = new SharingServer(time);
    long[] ends = new long[3];

    // a takes 3, b takes 1 and comes at 1, c takes 1 and comes at 2: b is done at 3.5, c at 4.5
    server.take(3 * UNIT, () -> ends[0] = time.getAsLong());
    time.pass(1);
    server.take(UNIT, () -> ends[1] = time.getAsLong());
    time.pass(1);
    server.take(UNIT, () -> ends[2] = time.getAsLong());
    time.pass(10);

    assertThat(VirtualTime.units(ends[1])).isCloseTo(3.5, withinPercentage(0.01));
    assertThat(VirtualTime.units(ends[2])).isCloseTo(4.5, withinPercentage(0.01));
    assertThat(VirtualTime.units(ends[0])).isCloseTo(5, withinPercentage(0.01));
  }

  @Test
  void aServerThatBecomesSlowInTheMiddleTakesLongerForTheRest() {
    SharingServer server = new SharingServer(time);
    long[] end = new long[1];

    server.take(2 * UNIT, () -> end[0] = time.getAsLong());
    time.pass(1);
    server.speed(0.5);
    time.pass(10);

    assertThat(VirtualTime.units(end[0])).isCloseTo(3, withinPercentage(0.01));
  }

  @Test
  void whatIsDueAtOnceHappensInTheOrderInWhichItWasPlanned() {
    StringBuilder order = new StringBuilder();

    time.after(UNIT, () -> order.append("b"));
    time.after(UNIT, () -> order.append("c"));
    time.after(0, () -> order.append("a"));
    time.pass(0.5);
    assertThat(order).hasToString("a");
    time.pass(0.5);

    assertThat(order).hasToString("abc");
    assertThat(time.now()).isEqualTo(1);
  }

  @Test
  void theSameSeedGivesTheSameTimesAndAnotherGivesOthers() {
    assertThat(once(1)).isEqualTo(once(1)).isNotEqualTo(once(2));
  }

  private static double once(long seed) {
    VirtualTime time = new VirtualTime();
    Chance chance = new Chance(seed);
    Traffic traffic =
        new Traffic(
            time,
            chance,
            Stream.generate(() -> Shard.silent(new FifoServer(time))).limit(4).toList(),
            List.of(Controls.random(4, chance.of("picks"))),
            2);
    return traffic.measure(100).mean();
  }
}
