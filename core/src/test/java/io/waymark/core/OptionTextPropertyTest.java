package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repeat a failure with {@code -Dwaymark.seed=}. */
class OptionTextPropertyTest {
  private static final int ROUNDS = 10_000;
  private static final Option OPTION = SampleOption.OPEN;
  private static final List<String> PIECES =
      List.of(
          "0",
          "1",
          "9",
          "99999999999",
          ".",
          "-",
          "+",
          "e",
          "s",
          "ms",
          "m",
          "B",
          "KB",
          "MB",
          "GB",
          " ",
          "\t",
          "\u0000",
          "\u2003",
          "٣",
          "é",
          "\ud83d\ude80",
          "\ud800",
          "NaN",
          "five",
          "\"",
          "$",
          "%s",
          "\\",
          "\n");

  private final long seed = Long.getLong("waymark.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @BeforeEach
  void tellTheSeed() {
    System.out.println("OptionTextPropertyTest: -Dwaymark.seed=" + seed);
  }

  @Test
  void aParserOfAnyTextThrowsNothingButAnOptionException() {
    List<Consumer<String>> parsers =
        List.of(
            text -> OptionText.duration(OPTION, text),
            text -> OptionText.waitTime(OPTION, text),
            text -> OptionText.waitTimeOrMillis(OPTION, text),
            text -> OptionText.size(OPTION, text),
            text -> OptionText.durationOrSize(OPTION, text, d -> d, Long::valueOf),
            text -> OptionText.positiveInt(OPTION, text),
            text -> OptionText.positiveDecimal(OPTION, text),
            text -> OptionText.choice(OPTION, text, Option.Tier.class),
            text -> OptionValue.name(OPTION, text));
    for (int i = 0; i < ROUNDS; i++) {
      String text = text();
      parsers.forEach(parser -> onlyOptionException(parser, text));
    }
  }

  private void onlyOptionException(Consumer<String> parser, String text) {
    try {
      parser.accept(text);
    } catch (OptionException refused) {
      assertThat(refused)
          .as("seed %d", seed)
          .hasMessageMatching("\\P{Cntrl}*")
          .hasMessageStartingWith("WM1120: some.path cannot be ")
          .hasMessageEndingWith("Accepted: \"this\" | that.");
    } catch (RuntimeException other) {
      fail("seed " + seed + ", text " + OptionText.quote(text), other);
    }
  }

  @Test
  void aDurationReadsBackFromItsText() {
    for (int i = 0; i < ROUNDS; i++) {
      Duration duration = Duration.ofNanos(any());
      assertThat(OptionText.duration(OPTION, OptionText.format(duration)))
          .as("seed %d", seed)
          .isEqualTo(duration);
    }
  }

  @Test
  void aSizeReadsBackFromItsText() {
    for (int i = 0; i < ROUNDS; i++) {
      long size = any();
      assertThat(OptionText.size(OPTION, OptionText.format(size)))
          .as("seed %d", seed)
          .isEqualTo(size);
    }
  }

  /** All magnitudes, and round numbers more often than chance has them. */
  private long any() {
    long value = random.nextLong() >>> 1 >>> random.nextInt(63);
    return switch (random.nextInt(4)) {
      case 0 -> value / 1_000_000_000 * 1_000_000_000;
      case 1 -> value / 60_000_000_000L * 60_000_000_000L;
      case 2 -> value >>> 20 << 20;
      default -> value;
    };
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(8); left > 0; left--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return random.nextInt(500) == 0 ? text.toString().repeat(1000) : text.toString();
  }
}
