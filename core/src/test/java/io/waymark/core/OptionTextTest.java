package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionTextTest {
  private static final Option OPTION = SampleOption.OPEN;

  private enum Flavour {
    PLAIN,
    SEA_SALT,
    TOO_MUCH_SUGAR
  }

  @ParameterizedTest
  @CsvSource({
    "1s, PT1S",
    "500ms, PT0.5S",
    "1m, PT1M",
    "2m, PT2M",
    "1.5s, PT1.5S",
    "0.5m, PT30S",
    "0.000001ms, PT0.000000001S",
    "0.0000009ms, PT0S",
    "0s, PT0S",
    "007s, PT7S",
    "'  5s\t', PT5S",
    "9223372036.854775807s, PT2562047H47M16.854775807S"
  })
  void aDurationIsANumberAndAUnit(String text, Duration expected) {
    assertThat(OptionText.duration(OPTION, text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "s",
        "5",
        "5 s",
        "5S",
        "5MS",
        "5h",
        "5d",
        "5sec",
        "-5s",
        "+5s",
        ".5s",
        "5.s",
        "5,5s",
        "1e3s",
        "PT5S",
        "5s5",
        "5s 5s",
        "5.5.5s",
        "٥s",
        "5s\u0000",
        "0x5s",
        "NaNs",
        "soon",
        "16MB"
      })
  void nothingElseIsADuration(String text) {
    assertThatThrownBy(() -> OptionText.duration(OPTION, text))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContainingAll("some.path", "it is not a duration", "Accepted: \"this\" | that.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036.854775808s", "153722868m", "99999999999999999999999s"})
  void aDurationThatDoesNotFitIsRefused(String text) {
    assertThatThrownBy(() -> OptionText.duration(OPTION, text))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContainingAll(text, "it is too long");
  }

  @ParameterizedTest
  @CsvSource({"1500, PT1.5S", "0.5, PT0.0005S", "2s, PT2S", "' 250 ', PT0.25S"})
  void whereMillisecondsMayBeMeantTheUnitMayBeLeftOut(String text, Duration expected) {
    assertThat(OptionText.waitTimeOrMillis(OPTION, text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0, the number of milliseconds must be positive",
    "0.0, the number of milliseconds must be positive",
    "0s, it must be positive",
    "0.0000001ms, it must be positive",
    "soon, it is neither a duration nor a number of milliseconds",
    "-5, it is neither a duration nor a number of milliseconds",
    "2147483648, it must be at most 24 days",
    "35792m, it must be at most 24 days"
  })
  void aTimeToWaitIsPositiveAndBounded(String text, String why) {
    assertThatThrownBy(() -> OptionText.waitTimeOrMillis(OPTION, text))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessage(
            "WM1120: some.path cannot be \""
                + text
                + "\": "
                + why
                + ". Accepted: \"this\" | that.");
  }

  @ParameterizedTest
  @CsvSource({
    "4096B, 4096",
    "512KB, 524288",
    "16MB, 16777216",
    "1GB, 1073741824",
    "0.5KB, 512",
    "1.9B, 1",
    "0.0001KB, 0",
    "0B, 0",
    "' 1KB ', 1024",
    "8589934591.999999999GB, 9223372036854775806"
  })
  void aSizeIsANumberAndAUnitOf1024(String text, long expected) {
    assertThat(OptionText.size(OPTION, text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "16mb", "16Mb", "1TB", "1 KB", "1K", "-1B", "1KiB", "B", "5s"})
  void nothingElseIsASize(String text) {
    assertThatThrownBy(() -> OptionText.size(OPTION, text))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContainingAll("some.path", "it is not a size", "Accepted:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775808B", "8589934592GB"})
  void aSizeThatDoesNotFitIsRefused(String text) {
    assertThatThrownBy(() -> OptionText.size(OPTION, text)).hasMessageContaining("it is too large");
  }

  @Test
  void theUnitTellsADurationFromASize() {
    assertThat(either("5s")).isEqualTo("PT5S");
    assertThat(either("5KB")).isEqualTo("5120");
    assertThatThrownBy(() -> either("5"))
        .hasMessageContaining("a number without a unit is neither a time nor a size");
    assertThatThrownBy(() -> either("5kb"))
        .hasMessageContaining("it is neither a duration nor a size");
  }

  private static String either(String text) {
    return OptionText.durationOrSize(OPTION, text, Duration::toString, Long::toString);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "' 42 ', 42", "2147483647, 2147483647", "010, 10"})
  void aWholeNumberIsDigits(String text, int expected) {
    assertThat(OptionText.positiveInt(OPTION, text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0, it must be positive",
    "-1, it is not a whole number",
    "1.0, it is not a whole number",
    "ten, it is not a whole number",
    "'', it is not a whole number",
    "1e1, it is not a whole number",
    "2147483648, it is more than 2147483647"
  })
  void otherWholeNumbersAreRefused(String text, String why) {
    assertThatThrownBy(() -> OptionText.positiveInt(OPTION, text))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContainingAll(text, why);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "0.25, 0.25", "' 2.5 ', 2.5", "1000000, 1000000"})
  void aDecimalIsDigitsWithAFraction(String text, double expected) {
    assertThat(OptionText.positiveDecimal(OPTION, text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0.0", "-1", "NaN", "Infinity", "1e3", "1d", "0x1p3", ""})
  void otherDecimalsAreRefused(String text) {
    assertThatThrownBy(() -> OptionText.positiveDecimal(OPTION, text))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContaining("some.path cannot be \"" + text + "\"");
  }

  @Test
  void aConstantIsChosenByItsWordInExactlyItsCase() {
    assertThat(OptionText.choice(OPTION, " tooMuchSugar ", Flavour.class))
        .isEqualTo(Flavour.TOO_MUCH_SUGAR);
    for (String text : List.of("SEA_SALT", "seasalt", "sea-salt", "SeaSalt")) {
      assertThatThrownBy(() -> OptionText.choice(OPTION, text, Flavour.class))
          .isExactlyInstanceOf(OptionException.class)
          .hasMessageContainingAll(text, "it is not one of the words; did you mean seaSalt?");
    }
    assertThatThrownBy(() -> OptionText.choice(OPTION, "chocolate", Flavour.class))
        .hasMessageContaining("it is not one of the words. Accepted:");
  }

  @Test
  void longTextIsCutInMessages() {
    String text = "x".repeat(1_000_000);
    assertThatThrownBy(() -> OptionText.duration(OPTION, text))
        .hasMessageContaining("\"" + "x".repeat(60) + "…\"")
        .message()
        .hasSizeLessThan(200);
  }

  @Test
  void whatCouldDisturbALogIsEscaped() {
    assertThat(OptionText.quote("a\nb\u001b[31m\"\\ \u202e\u2028é\ud800"))
        .isEqualTo("\"a\\u000ab\\u001b[31m\\\"\\\\ \\u202e\\u2028é\\ud800\"");
  }

  @Test
  void aSecretIsNeverShown() {
    assertThatThrownBy(() -> OptionText.duration(SampleOption.SECRET, "hunter2"))
        .hasMessage(
            "WM1120: some.secret cannot be used: it is not a duration. Accepted: \"this\" | that.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"jdbc:postgresql://h/d?password=hunter2", "u:hunter2@h", "password=hunter2"})
  void aUrlInPlaceOfAValueIsNotShown(String text) {
    assertThatThrownBy(() -> OptionText.duration(SampleOption.OPEN, text))
        .hasMessage(
            "WM1120: some.path cannot be used: it is not a duration. Accepted: \"this\" | that.");
  }

  @Test
  void anOptionOfAListElementNamesItsIndex() {
    Option third = SampleOption.LISTED.at(2);
    assertThat(third.path()).isEqualTo("parts[2].size");
    assertThat(third.accepted()).isEqualTo(SampleOption.LISTED.accepted());
    assertThatThrownBy(() -> OptionText.size(third, "big")).hasMessageContaining("parts[2].size");
  }

  @Test
  void typedValuesHaveTheSameMessages() {
    assertThatThrownBy(() -> OptionValue.positive(OPTION, 0)).hasMessageContaining("cannot be 0:");
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> OptionValue.positive(OPTION, bad))
          .hasMessageContainingAll("cannot be " + bad, "it must be positive and finite");
    }
    assertThatThrownBy(() -> OptionValue.waitTime(OPTION, Duration.ZERO))
        .hasMessageContainingAll("\"0s\"", "it must be positive");
    assertThatThrownBy(() -> OptionValue.waitTime(OPTION, Duration.ofSeconds(Long.MAX_VALUE)))
        .hasMessageContaining("it must be at most 24 days");
    assertThatThrownBy(() -> OptionValue.notNegative(OPTION, Duration.ofNanos(-1)))
        .hasMessageContaining("it must not be negative");
    assertThatThrownBy(() -> OptionValue.notNegative(OPTION, Duration.ofSeconds(Long.MAX_VALUE)))
        .hasMessageContaining("it is too long");
    assertThatThrownBy(() -> OptionValue.notNegative(OPTION, -1L))
        .hasMessageContainingAll("cannot be -1", "it must not be negative");
    for (String bad : List.of("", " ", " a", "a\u0000", "a".repeat(129))) {
      assertThatThrownBy(() -> OptionValue.name(OPTION, bad))
          .isExactlyInstanceOf(OptionException.class);
    }
    assertThat(OptionValue.name(OPTION, "east 1")).isEqualTo("east 1");
  }
}
