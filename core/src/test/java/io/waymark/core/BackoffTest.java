package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BackoffTest {
  @Test
  void waitsThatCannotBeUsedAreRefused() {
    assertThatThrownBy(() -> new Backoff(Duration.ZERO, Duration.ofSeconds(1)))
        .hasMessageContaining("backoff.first cannot be \"0s\"");
    assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .hasMessageContaining("backoff.longest cannot be \"1s\"");
    assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofDays(2)))
        .hasMessageContaining("backoff.longest");
  }

  @Test
  void waitsDoubleUpToTheLongestAndHalfOfEachIsRandom() {
    Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

    assertThat(delays(backoff, 0.0)).containsExactly(500L, 1_000L, 2_000L, 4_000L, 5_000L, 5_000L);
    assertThat(delays(backoff, 0.5)).containsExactly(750L, 1_500L, 3_000L, 6_000L, 7_500L, 7_500L);
    assertThat(backoff.delay(Integer.MAX_VALUE, drawing(0))).isEqualTo(Duration.ofSeconds(5));
  }

  private static Long[] delays(Backoff backoff, double drawn) {
    Long[] delays = new Long[6];
    for (int failures = 1; failures <= delays.length; failures++) {
      delays[failures - 1] = backoff.delay(failures, drawing(drawn)).toMillis();
    }
    return delays;
  }

  private static RandomGenerator drawing(double value) {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        throw new AssertionError("only nextDouble is used");
      }

      @Override
      public double nextDouble() {
        return value;
      }
    };
  }
}
