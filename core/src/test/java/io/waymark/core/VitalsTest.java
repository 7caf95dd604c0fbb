package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VitalsTest {
  private final Vitals vitals = new Vitals(new Circuit(Duration.ofSeconds(1), () -> 0));

  @Test
  void beforeTheFirstSampleThereIsNoLatency() {
    assertThat(vitals.latencyNanos()).isNaN();
    assertThat(vitals.latency()).isEmpty();
  }

  @Test
  void theFirstSampleIsKeptAndLaterOnesCountAFifth() {
    vitals.latency(1_000);
    assertThat(vitals.latency()).hasValue(1_000);

    vitals.latency(2_000);
    assertThat(vitals.latency()).hasValue(1_200);

    vitals.latency(200);
    assertThat(vitals.latency()).hasValue(1_000);
  }

  @Test
  void aFirstSampleOfZeroIsASample() {
    vitals.latency(0);
    vitals.latency(10);

    assertThat(vitals.latency()).hasValue(2);
  }

  @Test
  void aNegativeReadingCountsAsZero() {
    vitals.latency(-5);

    assertThat(vitals.latency()).hasValue(0);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#few")
  void theAverageIsTheWeightedSumOfAllSamples(long seed) {
    Random random = new Random(seed);
    long[] samples = random.longs(1 + random.nextInt(50), 0, 1_000_000_000).toArray();

    for (long sample : samples) {
      vitals.latency(sample);
    }

    // Written out: the sample that is k back counts 0.2 * 0.8^k, the first one all that is left.
    int last = samples.length - 1;
    double expected = samples[0] * Math.pow(0.8, last);
    for (int i = 1; i <= last; i++) {
      expected += samples[i] * 0.2 * Math.pow(0.8, last - i);
    }
    assertThat(vitals.latencyNanos()).as("seed %d", seed).isCloseTo(expected, within(1e-3));
  }

  @Test
  void callsOfManyThreadsAreAllCounted() throws Exception {
    Threads.together(
        4,
        thread -> {
          for (int i = 0; i < 10_000; i++) {
            vitals.started();
            if (i % 10 != 0) {
              vitals.finished();
            }
          }
        });

    assertThat(vitals.inFlight()).isEqualTo(4 * 1_000);
  }

  @Test
  void noSampleOfManyThreadsIsLost() throws Exception {
    vitals.latency(1_000);

    // 40 equal samples bring the average as near as 40 samples of one thread would.
    Threads.together(
        4,
        thread -> {
          for (int i = 0; i < 10; i++) {
            vitals.latency(2_000);
          }
        });

    double expected = 2_000 - 1_000 * Math.pow(0.8, 40);
    assertThat(vitals.latencyNanos()).isCloseTo(expected, within(1e-6));
  }
}
