package io.waymark.testing.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WalPositionTest {

  @ParameterizedTest
  @ValueSource(strings = {"0/0", "0/3000060", "16/B374D848", "FFFFFFFF/FFFFFFFF"})
  void readsWhatItWrites(String text) {
    assertThat(WalPosition.parse(text)).hasToString(text);
  }

  @Test
  void comparesWithoutSign() {
    assertThat(WalPosition.parse("FFFFFFFF/0")).isGreaterThan(WalPosition.parse("1/0"));
    assertThat(WalPosition.parse("0/F0000000")).isLessThan(WalPosition.parse("1/0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/1", "12", "x/1", "1/-"})
  void refusesOtherText(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> WalPosition.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "0/3002018, 0/3002000", // a page's short header
    "0/3000028, 0/3000000", // a segment's long header
    "0/3002019, 0/3002019",
    "0/3002000, 0/3002000",
  })
  void leavesThePageHeaderOut(String next, String end) {
    assertThat(WalPosition.parse(next).withoutPageHeader()).hasToString(end);
  }
}
