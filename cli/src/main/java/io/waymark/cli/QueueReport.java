package io.waymark.cli;

import io.waymark.cli.queue.QueueCounts;
import io.waymark.cli.queue.QueueSettings;
import io.waymark.core.OptionText;

/**
 * The result of the demo of the queue in JSON. The names are a contract with scripts; see {@link
 * QueueCounts} for what they count.
 */
record QueueReport(
    Parameters parameters,
    long accepted,
    long delivered,
    long duplicatesByKey,
    long lost,
    long deadLettered,
    long unconfirmed,
    long unknownPushes,
    long unsentPushes,
    long rejectedPushes,
    long kills,
    long pauses,
    long mailboxesOpened,
    long mailboxesLost,
    double drainSeconds) {

  /** What can be repeated. */
  record Parameters(
      long seed,
      long seconds,
      String store,
      int mailboxes,
      int hosts,
      int producers,
      int targets) {}

  static QueueReport of(QueueSettings settings, QueueCounts.Outcome outcome) {
    QueueCounts counts = outcome.counts();
    return new QueueReport(
        new Parameters(
            settings.seed(),
            settings.duration().toSeconds(),
            OptionText.word(settings.store()),
            settings.mailboxes(),
            settings.hosts(),
            settings.producers(),
            settings.targets()),
        outcome.accepted(),
        outcome.delivered(),
        outcome.duplicatesByKey(),
        outcome.lost(),
        outcome.deadLettered(),
        outcome.unconfirmed(),
        counts.unknown(),
        counts.notSent(),
        counts.rejected(),
        counts.kills(),
        counts.pauses(),
        counts.opened(),
        counts.fenced(),
        outcome.drainMillis() / 1000.0);
  }
}
