package io.waymark.durable;

import io.waymark.durable.OutboxEvent.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners and meters what happens. What they throw is logged and ignored. Thread safe. */
final class OutboxObserver {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxObserver.class);

  private record Key(String name, String channel, String outcome) {}

  private final Consumer<? super OutboxEvent> listener;
  private final Meters meters;
  private final Map<Key, Meters.Timer> timers = new ConcurrentHashMap<>();

  OutboxObserver(Consumer<? super OutboxEvent> listener, Meters meters) {
    this.listener = listener;
    this.meters = meters;
  }

  void tell(OutboxEvent event, Duration age) {
    LOG.debug("{}", event);
    try {
      listener.accept(event);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("a listener of the outbox threw; it is ignored", e);
    }
    if (meters != Meters.NONE) {
      measure(event, age);
    }
  }

  private void measure(OutboxEvent event, Duration age) {
    try {
      String outcome = event.kind().text();
      timer(Meters.ATTEMPT, event.channel(), outcome).record(event.took().toNanos());
      if (event.kind() == Kind.DELIVERED) {
        timer(Meters.DELIVERY, event.channel(), "").record(age.plus(event.took()).toNanos());
      }
    } catch (RuntimeException e) {
      LOG.debug("a meter threw; it is ignored", e);
    }
  }

  private Meters.Timer timer(String name, String channel, String outcome) {
    return timers.computeIfAbsent(
        new Key(name, channel, outcome),
        key ->
            meters.timer(
                name,
                outcome.isEmpty()
                    ? Map.of("channel", channel)
                    : Map.of("channel", channel, "outcome", outcome)));
  }
}
