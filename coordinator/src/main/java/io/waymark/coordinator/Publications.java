package io.waymark.coordinator;

import io.waymark.durable.Delivery;
import io.waymark.durable.DeliveryHandler;
import io.waymark.durable.Receipt;
import io.waymark.topology.Published;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.Stamp;
import io.waymark.topology.WriteOutcome;
import io.waymark.topology.WriteOutcome.NotWritten;
import io.waymark.topology.WriteOutcome.Superseded;
import io.waymark.topology.WriteOutcome.Uncertain;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a group into a store that compares stamps: as it is when the attempt begins, whatever
 * it was when that was staged. What arrives late or twice does no harm there. Thread safe.
 */
final class Publications implements DeliveryHandler<String> {
  /** How often what another authority stored may change under a take-over before it waits. */
  private static final int MOST_REPLACED = 3;

  private final Ledger ledger;
  private final SnapshotPublisher publisher;
  private final EventListener events;

  Publications(Ledger ledger, SnapshotPublisher publisher, EventListener events) {
    this.ledger = ledger;
    this.publisher = publisher;
    this.events = events;
  }

  @Override
  public Receipt deliver(Delivery<String> delivery) {
    StoredGroup group = ledger.tables().read(delivery.key());
    if (!group.isKnown()) {
      return Receipt.delivered();
    }
    Published published = group.published(ledger.authority());
    WriteOutcome outcome = publisher.write(published);
    for (int i = 0; i < MOST_REPLACED && isForeign(outcome, published) && group.takesOver(); i++) {
      outcome = publisher.replace(((Superseded) outcome).found(), published);
    }
    if (outcome instanceof Superseded superseded) {
      return superseded(group, published, superseded.found());
    }
    if (!outcome.isApplied()) {
      throw failed(group.name(), outcome);
    }
    if (group.takesOver()) {
      ledger.tables().takenOver(group.name());
    }
    return Receipt.delivered();
  }

  private static boolean isForeign(WriteOutcome outcome, Published published) {
    return outcome instanceof Superseded superseded
        && !superseded.found().isComparableTo(published.stamp());
  }

  static CoordinatorException failed(String group, WriteOutcome outcome) {
    @Nullable Throwable cause =
        outcome instanceof Uncertain uncertain
            ? uncertain.cause()
            : outcome instanceof NotWritten unsent ? unsent.cause() : null;
    String what = outcome instanceof NotWritten ? "nothing was sent" : "it may be stored or not";
    return new CoordinatorException(
        CoordinatorError.NOT_PUBLISHED,
        "group " + group + " is not published yet, " + what + (cause == null ? "" : ": " + cause),
        cause);
  }

  private Receipt superseded(StoredGroup group, Published published, Stamp found) {
    if (!found.isComparableTo(published.stamp())) {
      return foreign(group, found);
    }
    Stamp now = ledger.stamp(group.name());
    boolean issuedTwice = found.equals(published.stamp()) && found.equals(now);
    if (!found.isNewerThan(now) && !issuedTwice) {
      return Receipt.delivered(); // somebody published a newer one that is committed here
    }
    events.tell(new CoordinatorEvent.NeverIssued(group.name(), found));
    ledger.raiseBeyond(found);
    ledger.lift(group.name());
    return Receipt.again(Duration.ZERO);
  }

  private Receipt foreign(StoredGroup group, Stamp found) {
    if (group.deleted()) {
      return Receipt.delivered(); // another's group by now, and not ours to delete
    }
    events.tell(new CoordinatorEvent.Foreign(group.name(), found));
    throw new CoordinatorException(
        CoordinatorError.FOREIGN,
        "the store holds group "
            + group.name()
            + " as "
            + found
            + ", published by another authority; if it shall be this coordinator's, call takeOver;"
            + " if not, delete it here, which leaves what the other has published");
  }
}
