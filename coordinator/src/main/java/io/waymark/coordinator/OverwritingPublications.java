package io.waymark.coordinator;

import io.waymark.durable.Delivery;
import io.waymark.durable.DeliveryHandler;
import io.waymark.durable.Receipt;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.WriteOutcome;
import java.time.Duration;

/**
 * Publishes a group into a store that keeps whatever arrives last. While an older write may still
 * land, a newer one is not final: it is written again when the older one's landing deadline has
 * passed, or as soon as that is seen to have landed. Thread safe.
 */
final class OverwritingPublications implements DeliveryHandler<String> {
  /** How long after its time ran out a write may still land. */
  static final Duration LATEST_LANDING = Duration.ofMinutes(5);

  private final Ledger ledger;
  private final SnapshotPublisher publisher;
  private final WriteRecords records;

  OverwritingPublications(Ledger ledger, SnapshotPublisher publisher, WriteRecords records) {
    this.ledger = ledger;
    this.publisher = publisher;
    this.records = records;
  }

  @Override
  public Receipt deliver(Delivery<String> delivery) {
    WriteRecords.Begun begun = records.begin(delivery.key());
    if (!begun.group().isKnown() || delivery.isAbandoned()) {
      records.notWritten(begun);
      return Receipt.delivered(); // nobody listens to an abandoned attempt
    }
    WriteOutcome outcome = publisher.write(begun.group().published(ledger.authority()));
    Thread.interrupted(); // it was meant for the write; what follows must not be cut short
    if (outcome.isApplied()) {
      return records.landed(begun, delivery.isAbandoned());
    }
    if (outcome.isSettled()) {
      records.notWritten(begun);
    }
    throw Publications.failed(begun.name(), outcome);
  }
}
