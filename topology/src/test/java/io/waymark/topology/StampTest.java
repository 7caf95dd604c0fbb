package io.waymark.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StampTest {
  @ParameterizedTest
  @CsvSource({
    "1.2@a, 1.1@a, true",
    "1.1@a, 1.1@a, false",
    "1.1@a, 1.2@a, false",
    // the epoch counts first, whatever the version
    "2.0@a, 1.9@a, true",
    "1.9@a, 2.0@a, false",
    // of another authority: neither older nor newer
    "9.9@b, 1.1@a, false",
    "1.1@b, 9.9@a, false",
  })
  void isNewerOnlyWithinOneAuthorityByEpochThenVersion(String one, String other, boolean newer) {
    assertThat(Stamp.parse(one).isNewerThan(Stamp.parse(other))).isEqualTo(newer);
  }

  @Test
  void whatWasMadeLocallyComparesWithNothing() {
    assertThat(Stamp.LOCAL.isNewerThan(Stamp.LOCAL)).isFalse();
    assertThat(Stamp.LOCAL.isComparableTo(new Stamp("a", 0, 0))).isFalse();
    assertThat(new Stamp("a", 1, 1).isNewerThan(Stamp.LOCAL)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0@a", "1.42@orders coordinator", "7.9223372036854775807@a@b"})
  void itsTextIsReadBack(String text) {
    assertThat(Stamp.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "local",
        "1@a",
        "1.2",
        "1.2@",
        "-1.2@a",
        "01.2@a",
        "1.9223372036854775808@a",
        "1.2@\n"
      })
  void anythingElseIsNoStamp(String text) {
    assertThatThrownBy(() -> Stamp.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void negativeNumbersAndNamelessAuthoritiesAreRefused() {
    assertThatThrownBy(() -> new Stamp("a", -1, 0)).hasMessageContaining("negative");
    assertThatThrownBy(() -> new Stamp("a", 0, -1)).hasMessageContaining("negative");
    assertThatThrownBy(() -> new Stamp("", 1, 0)).hasMessageContaining("authority");
  }
}
