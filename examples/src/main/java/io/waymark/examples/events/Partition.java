package io.waymark.examples.events;

import io.waymark.core.Backoff;
import io.waymark.core.Outcome;
import io.waymark.durable.Fanout;
import io.waymark.durable.FanoutBatch;
import io.waymark.durable.FanoutBuilder;
import io.waymark.durable.FanoutDelivery;
import io.waymark.durable.FanoutMessage;
import io.waymark.objects.ObjectContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A shard of the stream: each consumer is a target of its own, and none waits for another. */
final class Partition implements AutoCloseable {
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofMinutes(1));
  private static final int ATTEMPTS = 1_000_000;

  private final Fanout<Event> fanout;

  Partition(ObjectContext context, Map<String, EventConsumer> consumers) {
    FanoutBuilder<Event> builder = Fanout.builder(context.store(), "events", Event.class);
    consumers.forEach(
        (name, consumer) ->
            builder.deliver(
                name,
                batch -> hand(batch, context.name(), consumer),
                // One batch after the other, and never given up: a stream has no dead letters.
                options -> options.concurrency(1).attempts(ATTEMPTS).backoff(BACKOFF)));
    this.fanout = builder.build();
  }

  private static void hand(FanoutBatch<Event> batch, String partition, EventConsumer consumer)
      throws Exception {
    for (FanoutDelivery<Event> delivery : batch) {
      consumer.take(partition, delivery.messageId(), delivery.body());
      delivery.ack();
    }
  }

  Outcome<List<String>> append(List<FanoutMessage<Event>> events) {
    return fanout.accept(events);
  }

  /** What is still to be handed to each consumer. */
  Map<String, Long> pending() {
    return fanout.backlog().stream()
        .collect(Collectors.toMap(backlog -> backlog.target(), backlog -> backlog.pending()));
  }

  boolean hasWork() {
    return fanout.pendingDeliveries() > 0;
  }

  @Override
  public void close() {
    fanout.close();
  }
}
