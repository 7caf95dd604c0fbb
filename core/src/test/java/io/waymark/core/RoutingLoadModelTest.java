package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.LoadSnapshot.Traffic;
import io.waymark.testing.SettableTicker;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link RoutingLoad} next to a list of all calls there ever were. */
class RoutingLoadModelTest {
  private static final int STEPS = 2_000;
  private static final BigInteger SECOND = BigInteger.valueOf(1_000_000_000);

  /** Time that never wraps. */
  private BigInteger now = BigInteger.ZERO;

  private record Call(long started, BigInteger began) {}

  private record End(BigInteger second, long millis) {}

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#many")
  void itIsTheModel(long seed) {
    Random random = new Random(seed);
    long start = random.nextBoolean() ? Long.MAX_VALUE - random.nextInt() : random.nextLong();
    SettableTicker ticker = new SettableTicker(start);
    now = BigInteger.valueOf(start);
    RoutingLoad load = RoutingLoad.of(ticker, Clock.systemUTC());
    List<Call> open = new ArrayList<>();
    List<End> ends = new ArrayList<>();

    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(4)) {
        case 0 -> open.add(new Call(load.beginOutbound(), now));
        case 1 -> {
          if (!open.isEmpty()) {
            Call call = open.remove(random.nextInt(open.size()));
            load.endOutbound(call.started());
            ends.add(new End(second(now), millis(now.subtract(call.began()))));
          }
        }
        case 2 -> advance(ticker, random.nextInt(1_500));
        default -> {
          if (random.nextInt(200) == 0) {
            advance(ticker, random.nextInt(200_000));
          }
        }
      }

      assertThat(load.snapshot().outbound())
          .as("seed %d, step %d", seed, step)
          .isEqualTo(model(open.size(), ends));
    }
    assertThat(load.snapshot().inbound()).isEqualTo(Traffic.NONE);
  }

  private void advance(SettableTicker ticker, int millis) {
    ticker.advance(Duration.ofMillis(millis));
    now = now.add(BigInteger.valueOf(1_000_000L * millis));
  }

  private Traffic model(int inFlight, List<End> ends) {
    BigInteger last = second(now);
    BigInteger before = last.subtract(BigInteger.valueOf(60));
    List<End> counted = ends.stream().filter(end -> end.second().compareTo(before) > 0).toList();
    return new Traffic(
        inFlight,
        counted.size(),
        counted.isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(
                counted.stream().mapToLong(End::millis).sum() * 1_000.0 / counted.size() / 1_000));
  }

  private static BigInteger second(BigInteger nanos) {
    return nanos.subtract(nanos.mod(SECOND)).divide(SECOND);
  }

  private static long millis(BigInteger nanos) {
    return nanos.longValueExact() / 1_000_000;
  }
}
