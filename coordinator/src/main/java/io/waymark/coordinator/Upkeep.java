package io.waymark.coordinator;

import io.waymark.durable.Delivery;
import io.waymark.durable.DeliveryHandler;
import io.waymark.durable.Receipt;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a coordinator sees to by itself, as deliveries of a channel of its own: of all processes
 * that share a database one does it at a time, and what a dying one left is done by another.
 */
final class Upkeep implements DeliveryHandler<String> {
  private static final int BATCH = 100;

  private final Ledger ledger;
  private final StoreSweep sweep;
  private final Joining joining;
  private final EventListener events;
  private final Duration interval;

  Upkeep(
      Ledger ledger, StoreSweep sweep, Joining joining, EventListener events, Duration interval) {
    this.ledger = ledger;
    this.sweep = sweep;
    this.joining = joining;
    this.events = events;
    this.interval = interval;
  }

  @Override
  public Receipt deliver(Delivery<String> delivery) {
    Optional<String> group = Channels.joined(delivery.key());
    if (group.isPresent()) {
      return joining.see(group.get());
    }
    if (delivery.key().equals(Channels.LIFT)) {
      lift(delivery);
      return Receipt.delivered();
    }
    if (!ledger.tables().behind(ledger.check(), 1).isEmpty()) {
      ledger.seeTo(Channels.LIFT); // what a change that began before a raise committed after it
    }
    joining.stageAll(delivery);
    sweep.run(delivery);
    return Receipt.again(interval);
  }

  /** Brings all groups to the epoch that holds; one that fails holds up no other. */
  private void lift(Delivery<String> delivery) {
    long epoch = ledger.check();
    Set<String> failed = new HashSet<>();
    RuntimeException failure = null;
    List<String> behind = behind(epoch, failed);
    if (!behind.isEmpty()) {
      events.tell(new CoordinatorEvent.Lifting(epoch));
    }
    while (!behind.isEmpty() && !delivery.isAbandoned()) {
      for (String group : behind) {
        try {
          ledger.lift(group);
        } catch (RuntimeException e) {
          failed.add(group);
          failure = e;
        }
      }
      behind = behind(epoch, failed);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private List<String> behind(long epoch, Set<String> failed) {
    return ledger.tables().behind(epoch, BATCH + failed.size()).stream()
        .filter(group -> !failed.contains(group))
        .toList();
  }
}
