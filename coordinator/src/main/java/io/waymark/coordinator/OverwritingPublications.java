package io.waymark.coordinator;

import io.waymark.durable.Delivery;
import io.waymark.durable.DeliveryHandler;
import io.waymark.durable.Receipt;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.Stamp;
import io.waymark.topology.WriteOutcome;
import java.time.Duration;
import java.util.List;

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
    String name = delivery.key();
    WriteRecords.Begun begun = records.begin(name);
    if (!begun.group().isKnown() || delivery.isAbandoned()) {
      records.settled(name, begun.id());
      return Receipt.delivered(); // nobody listens to an abandoned attempt
    }
    WriteOutcome outcome = publisher.write(begun.group().published(ledger.authority()));
    Thread.interrupted(); // it was meant for the write; what follows must not be cut short
    if (!outcome.isSettled()) {
      throw Publications.failed(name, outcome);
    }
    records.settled(name, begun.id());
    if (!outcome.isApplied()) {
      throw Publications.failed(name, outcome);
    }
    Stamp written = begun.group().stamp(ledger.authority());
    if (delivery.isAbandoned() || ledger.stamp(name).isNewerThan(written)) {
      ledger.publishAgain(List.of(name)); // it may have landed on a newer one
      return Receipt.again(Duration.ZERO);
    }
    return records.othersLandFor(name, begun.id()).map(Receipt::again).orElse(Receipt.delivered());
  }
}
