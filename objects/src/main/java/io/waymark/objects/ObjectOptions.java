package io.waymark.objects;

import io.waymark.core.Option;
import io.waymark.core.Option.Tier;
import io.waymark.core.OptionFacts;
import io.waymark.core.OptionText;
import java.time.Duration;
import java.util.List;

/** The options: the one source for their defaults, messages and documentation. */
final class ObjectOptions {
  static final Option IDLE_AFTER =
      new OptionFacts(
          "idleAfter",
          "1m",
          "a duration from 1ms to 1440m",
          "How long an object stays open that nobody calls and that has no work.",
          "Opening takes some ten milliseconds, so who is called now and then should stay open.",
          Tier.FREQUENT);
  static final Option MAX_OPEN =
      new OptionFacts(
          "maxOpen",
          "256",
          "a whole number of at least 1",
          "How many objects are open at once. Room for another is made by closing the one that was"
              + " unused for longest.",
          "Each has a thread of its store and, on SQLite, four file handles.",
          Tier.FREQUENT);
  static final Option LEASE =
      new OptionFacts(
          "lease",
          "15s",
          "a duration from 100ms to 60m",
          "PostgreSQL: how long a process owns a name without renewing that, which it does three times"
              + " as often. Also how long it may stand still within one transaction.",
          "After a crash the names are free soon, and a short pause of the owner changes nothing.",
          Tier.RARE);
  static final Option CLOSE_WAIT =
      new OptionFacts(
          "closeWait",
          "10s",
          "a duration from 0ms to 1440m",
          "How long `close` waits for calls that have not ended. What they use is closed when they"
              + " end, also after that.",
          "Longer than nearly every call.",
          Tier.RARE);

  /** In the order of the documentation. */
  static final List<Option> ALL = List.of(IDLE_AFTER, MAX_OPEN, LEASE, CLOSE_WAIT);

  private ObjectOptions() {}

  /** The default of an option that is a duration. */
  static Duration duration(Option option) {
    return OptionText.duration(option, option.defaultText());
  }
}
