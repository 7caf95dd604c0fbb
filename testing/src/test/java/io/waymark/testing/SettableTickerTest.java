package io.waymark.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SettableTickerTest {

  @Test
  void standsStillUntilItIsMoved() {
    SettableTicker ticker = new SettableTicker();

    assertThat(ticker.getAsLong()).isZero();
    assertThat(ticker.advance(Duration.ofMillis(5))).isEqualTo(5_000_000);
    assertThat(ticker.getAsLong()).isEqualTo(5_000_000);
  }

  @Test
  void wrapsAroundAsNanoTimeDoes() {
    SettableTicker ticker = new SettableTicker(Long.MAX_VALUE);

    ticker.advance(Duration.ofNanos(10));

    assertThat(ticker.getAsLong()).isNegative();
    assertThat(ticker.getAsLong() - Long.MAX_VALUE).isEqualTo(10);
  }

  @Test
  void advancesNeverBackwards() {
    SettableTicker ticker = new SettableTicker(7);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ticker.advance(Duration.ofNanos(-1)))
        .withMessageContaining("PT-0.000000001S");
    ticker.set(-3);

    assertThat(ticker.getAsLong()).isEqualTo(-3);
  }
}
