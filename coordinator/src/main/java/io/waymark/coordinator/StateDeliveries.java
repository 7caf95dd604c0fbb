package io.waymark.coordinator;

import io.waymark.coordinator.Channels.Issue;
import io.waymark.coordinator.Channels.Target;
import io.waymark.durable.Delivery;
import io.waymark.durable.DeliveryHandler;
import io.waymark.durable.Receipt;
import io.waymark.topology.MemberState;
import io.waymark.topology.Stamp;
import io.waymark.topology.StateUpdate;

/**
 * Delivers the values of one state channel, as they are when the attempt begins. A stamp always
 * comes with the same value: where a newer one is committed, what was staged with it is delivered
 * instead. Thread safe.
 */
final class StateDeliveries<T> implements DeliveryHandler<String> {
  private final Ledger ledger;
  private final StateChannel<T> channel;

  StateDeliveries(Ledger ledger, StateChannel<T> channel) {
    this.ledger = ledger;
    this.channel = channel;
  }

  @Override
  public Receipt deliver(Delivery<String> delivery) throws Exception {
    Target target = Target.of(delivery.key());
    Issue issue = Issue.of(delivery.value());
    GroupTables.Delivered now =
        ledger.tables().delivered(target.group(), target.member(), channel.name()).orElse(null);
    if (now == null || now.state().setAt() > issue.changes() || !mayReceive(now.member().state())) {
      return Receipt.delivered(); // gone, or staged anew
    }
    T value = channel.decode(now.state().value());
    Stamp stamp = new Stamp(ledger.authority(), issue.epoch(), issue.changes());
    channel.delivery().deliver(now.member(), new StateUpdate<>(value, stamp));
    return Receipt.delivered();
  }

  /** A joining member is only staged for where it shall be told, be it by another process. */
  private boolean mayReceive(MemberState state) {
    return state == MemberState.JOINING || channel.members().includes(state);
  }
}
