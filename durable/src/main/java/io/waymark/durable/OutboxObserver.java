package io.waymark.durable;

import io.waymark.core.KeptMeters;
import io.waymark.core.KeptMeters.Family;
import io.waymark.core.Meters;
import io.waymark.durable.OutboxEvent.Kind;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners and meters what happens. What they throw is logged and ignored. Thread safe. */
final class OutboxObserver {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxObserver.class);
  private static final Family ATTEMPT =
      Family.of(OutboxMeterNames.ATTEMPT, OutboxMeterNames.CHANNEL, OutboxMeterNames.OUTCOME);
  private static final Family DELIVERY =
      Family.of(OutboxMeterNames.DELIVERY, OutboxMeterNames.CHANNEL);

  private final Consumer<? super OutboxEvent> listener;
  private final KeptMeters meters;

  OutboxObserver(Consumer<? super OutboxEvent> listener, Meters meters) {
    this.listener = listener;
    this.meters = new KeptMeters(meters);
  }

  void tell(OutboxEvent event, Duration age) {
    LOG.debug("{}", event);
    try {
      listener.accept(event);
    } catch (RuntimeException | Error e) { // even an assertion's: a delivery does not hang on it
      LOG.warn("a listener of the outbox threw; it is ignored", e);
    }
    meters.time(ATTEMPT, event.took().toNanos(), event.channel(), event.kind().text());
    if (event.kind() == Kind.DELIVERED) {
      meters.time(DELIVERY, age.plus(event.took()).toNanos(), event.channel());
    }
  }
}
