package io.waymark.cli;

import io.waymark.cli.shards.ShardsCounts;
import io.waymark.cli.shards.ShardsSettings;
import io.waymark.core.OptionText;

/**
 * The result of the demo of shards in JSON. The names are a contract with scripts; see {@link
 * ShardsCounts} for what they count.
 */
record ShardsReport(
    Parameters parameters,
    long updates,
    long unknownUpdates,
    long crashes,
    long pauses,
    long published,
    long reads,
    long regressionsSeen,
    long lostUpdates,
    boolean membersConverged,
    boolean readersConverged,
    long deliveries,
    long staleDeliveriesApplied,
    Millis propagationMillis) {

  /** What can be repeated. */
  record Parameters(long seed, long seconds, String store, int members, int readers) {}

  /** Milliseconds, with three decimals. */
  record Millis(double p50, double p99) {}

  static ShardsReport of(ShardsSettings settings, ShardsCounts.Outcome outcome) {
    ShardsCounts counts = outcome.counts();
    return new ShardsReport(
        new Parameters(
            settings.seed(),
            settings.duration().toSeconds(),
            OptionText.word(settings.store()),
            settings.members(),
            settings.readers()),
        counts.updates(),
        counts.unknownUpdates(),
        counts.crashes(),
        counts.pauses(),
        counts.published(),
        counts.reads(),
        counts.regressionsSeen(),
        outcome.lostUpdates(),
        outcome.membersConverged(),
        outcome.readersConverged(),
        counts.deliveries(),
        counts.staleDeliveriesApplied(),
        new Millis(counts.p50Micros() / 1000.0, counts.p99Micros() / 1000.0));
  }
}
