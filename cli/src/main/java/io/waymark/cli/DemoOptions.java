package io.waymark.cli;

import io.waymark.core.OptionException;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every demo takes that runs on real servers for a while. */
final class DemoOptions {
  private static final CliOption SECONDS = CliOption.wholeNumber("--seconds", 1, 86_400);
  private static final CliOption SEED = new CliOption("--seed", "a whole number of 64 bits");

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "How long it runs once everything is up; default ${DEFAULT-VALUE}.")
  private String seconds = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of every choice the demo makes; by default another one each time.")
  private @Nullable String seed;

  @Mixin private ResultOptions result = new ResultOptions();

  DemoOptions() {}

  Duration duration() {
    return Duration.ofSeconds(SECONDS.number(seconds, 1, 86_400));
  }

  long seed() {
    if (seed == null) {
      return new Random().nextInt(1_000_000);
    }
    return seed(seed);
  }

  /** The seed that a text is. */
  static long seed(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw OptionException.refused(SEED, text, "it is not a whole number");
    }
  }

  ResultOptions result() {
    return result;
  }

  /** A demo breaks things on purpose and shows them itself: no warnings about them. */
  static void quietLog() {
    if (System.getProperty("org.slf4j.simpleLogger.defaultLogLevel") == null) {
      System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    }
  }
}
