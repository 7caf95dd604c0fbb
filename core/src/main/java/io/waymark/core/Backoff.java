package io.waymark.core;

import io.waymark.core.Option.Tier;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after a failed attempt: the first wait, doubled with each further failure up to
 * the longest, of which a random part between half and all is taken, so that those who failed
 * together do not come back together. Immutable.
 *
 * @param first after the first failure
 * @param longest the wait that is not exceeded
 */
public record Backoff(Duration first, Duration longest) {
  /** The option for {@link #first}. */
  public static final Option FIRST =
      new OptionFacts(
          "backoff.first",
          "1s",
          "a duration from 1ms to 1440m",
          "The wait after the first failure. It doubles with each further one, and a random part of"
              + " up to half is taken off.",
          "Most failures pass within seconds.",
          Tier.RARE);

  /** The option for {@link #longest}. */
  public static final Option LONGEST =
      new OptionFacts(
          "backoff.longest",
          "5m",
          "a duration from `backoff.first` to 1440m",
          "The wait that is not exceeded, however often an attempt has failed.",
          "Who returns after a long outage is served within minutes.",
          Tier.RARE);

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LIMIT = Duration.ofDays(1);

  /** One second to five minutes. */
  public static final Backoff DEFAULT =
      new Backoff(
          OptionText.duration(FIRST, FIRST.defaultText()),
          OptionText.duration(LONGEST, LONGEST.defaultText()));

  /**
   * Checks.
   *
   * @throws OptionException unless the first wait is at least a millisecond, the longest not
   *     shorter than it, and not longer than a day
   */
  public Backoff {
    OptionValue.within(FIRST, first, SHORTEST, LIMIT);
    OptionValue.within(LONGEST, longest, first, LIMIT);
  }

  /**
   * The wait after so many failures in a row.
   *
   * @param failures at least 1
   */
  public Duration delay(int failures, RandomGenerator random) {
    long most = longest.toNanos();
    long full = first.toNanos();
    for (int i = 1; i < failures && full < most; i++) {
      full = Math.min(most, full * 2); // a day of nanoseconds doubled fits into a long
    }
    return Duration.ofNanos(full / 2 + (long) (random.nextDouble() * (full - full / 2)));
  }
}
