package io.waymark.durable;

import io.waymark.core.Backoff;
import io.waymark.core.Option;
import io.waymark.core.Option.Tier;
import io.waymark.core.OptionException;
import io.waymark.core.OptionFacts;
import io.waymark.core.OptionText;
import java.time.Duration;
import java.util.List;

/**
 * The options of a store and of the delivery of a channel: the one source for their defaults, the
 * messages about them and their documentation.
 */
final class StoreOptions {
  static final Option SCHEMA =
      new OptionFacts(
          "schema",
          "create",
          "\"create\", \"validate\" or \"none\"",
          "What the store does about its tables: creates or extends them, only checks them, or"
              + " neither looks nor touches.",
          "A store should work when it is opened for the first time.",
          Tier.FREQUENT);
  static final Option IN_SCHEMA =
      new OptionFacts(
          "inSchema",
          "",
          "a name of lower-case letters, digits and _ that does not begin with a digit",
          "PostgreSQL: the schema that holds the tables; it must exist.",
          "The first one of each connection's search_path, which must then be the same on all"
              + " connections, those of callers that stage included.",
          Tier.FREQUENT);
  static final Option POLL =
      new OptionFacts(
          "poll",
          "5s",
          "a duration from 1s to 15s",
          "How often to look for due work that nothing told of.",
          "What is missed is found before most people notice, and a look is one step into an index.",
          Tier.RARE);
  static final Option KEEP_SETTLED =
      new OptionFacts(
          "keepSettled",
          "60m",
          "a duration of at least 1m (\"60m\", \"90s\")",
          "How long the outbox remembers a key after it was settled. Its versions go on rising when"
              + " it is forgotten. Processes that share a store should agree.",
          "Long enough to look into what has just happened, short enough to keep the table small.",
          Tier.RARE);

  static final Option CONCURRENCY =
      new OptionFacts(
          "concurrency",
          "8",
          "a whole number from 1 to 1000",
          "How many keys of the channel this process delivers at once. A key is delivered by one"
              + " attempt at a time whatever this says.",
          "Slow receivers do not hold up the others, and a burst does not run anybody over.",
          Tier.FREQUENT);
  static final Option ATTEMPT_TIMEOUT =
      new OptionFacts(
          "attemptTimeout",
          "30s",
          "a duration from 1ms to 60m",
          "How long one attempt may take. Then its thread is interrupted and the attempt counts as"
              + " failed. If the process dies, others wait for this and ten seconds more before they"
              + " try the key.",
          "Longer than what most receivers take, and short enough for a key to be taken over soon.",
          Tier.FREQUENT);

  /** Those of a store, in the order of the documentation. */
  static final List<Option> OF_STORE = List.of(SCHEMA, IN_SCHEMA, POLL, KEEP_SETTLED);

  /** Those of the delivery of a channel, in the order of the documentation. */
  static final List<Option> OF_DELIVERY =
      List.of(CONCURRENCY, ATTEMPT_TIMEOUT, Backoff.FIRST, Backoff.LONGEST);

  private StoreOptions() {}

  /** The default of an option that is a duration. */
  static Duration duration(Option option) {
    return OptionText.duration(option, option.defaultText());
  }

  /**
   * The option of that path.
   *
   * @throws OptionException if there is none
   */
  static Option byPath(String path, List<Option> options) {
    return options.stream()
        .filter(each -> each.path().equals(path))
        .findFirst()
        .orElseThrow(
            () -> OptionException.unknown(path, options.stream().map(Option::path).toList()));
  }
}
