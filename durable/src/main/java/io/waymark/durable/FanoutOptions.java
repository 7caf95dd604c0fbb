package io.waymark.durable;

import io.waymark.core.Backoff;
import io.waymark.core.Option;
import io.waymark.core.Option.Tier;
import io.waymark.core.OptionFacts;
import java.util.List;

/**
 * The options of a fan-out's targets: the one source for their defaults, the messages about them
 * and their documentation.
 */
final class FanoutOptions {
  static final Option BATCH_SIZE =
      new OptionFacts(
          "batchSize",
          "10",
          "a whole number from 1 to 1000",
          "How many messages a callback gets at most. It gets what is due, without waiting for"
              + " more. A storage target writes each message on its own.",
          "Enough to share a round trip, few enough for one attempt.",
          Tier.FREQUENT);
  static final Option BATCH_DELAY =
      new OptionFacts(
          "batchDelay",
          "0s",
          "0s, or a duration from 1ms to 60m",
          "New messages become due at the next multiple of this, by the store's clock, so that those"
              + " which come close together share a batch.",
          "Nobody waits who has not asked for it.",
          Tier.RARE);
  static final Option CONCURRENCY =
      new OptionFacts(
          "concurrency",
          "8",
          "a whole number from 1 to 1000",
          "How many batches of the target this process has under way at once; of a storage target,"
              + " how many writes. A message is in one of them whatever this says.",
          "Slow batches do not hold up the others, and a burst does not run the target over.",
          Tier.FREQUENT);
  static final Option ATTEMPTS =
      new OptionFacts(
          "attempts",
          "5",
          "a whole number from 1 to 1000000",
          "How often a delivery is begun at most. What is not settled after the last time goes to"
              + " the dead letters.",
          "With the default waits about a quarter of a minute: longer than a restart.",
          Tier.FREQUENT);
  static final Option ATTEMPT_TIMEOUT =
      new OptionFacts(
          "attemptTimeout",
          "30s",
          "a duration from 1ms to 60m",
          "How long one attempt at a batch, or one write, may take. Then its thread is interrupted,"
              + " and what is not settled counts as failed. If the process dies, others wait for this"
              + " and ten seconds more before they try the messages.",
          "Longer than what most targets take, and short enough for messages to be taken over soon.",
          Tier.FREQUENT);

  /** In the order of the documentation. */
  static final List<Option> OF_TARGET =
      List.of(
          BATCH_SIZE,
          CONCURRENCY,
          ATTEMPTS,
          ATTEMPT_TIMEOUT,
          BATCH_DELAY,
          Backoff.FIRST,
          Backoff.LONGEST);

  private FanoutOptions() {}
}
