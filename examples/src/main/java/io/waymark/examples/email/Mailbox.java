package io.waymark.examples.email;

import io.waymark.core.Backoff;
import io.waymark.core.Outcome;
import io.waymark.core.RoutingLoad;
import io.waymark.durable.Fanout;
import io.waymark.durable.FanoutBatch;
import io.waymark.durable.FanoutDelivery;
import io.waymark.durable.FanoutMessage;
import io.waymark.objects.ObjectContext;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A shard: what is accepted here is sent and archived, whatever happens meanwhile. */
final class Mailbox implements AutoCloseable {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30));

  private final Fanout<Email> fanout;

  Mailbox(ObjectContext context, MailService service, MessageFolder archive, MessageFolder dead) {
    this.fanout =
        Fanout.builder(context.store(), "emails", Email.class)
            .load(new RoutingLoad())
            .deliver(
                "consumer",
                batch -> send(batch, service),
                options -> options.attempts(10).backoff(BACKOFF))
            .storage("archive", archive::put)
            .deadLetters(dead::put)
            .build();
  }

  /** One refused address is its own affair; an outage gives the rest of the batch another try. */
  private static void send(FanoutBatch<Email> batch, MailService service) throws IOException {
    for (FanoutDelivery<Email> delivery : batch) {
      try {
        service.send(delivery.id(), delivery.body());
        delivery.ack();
      } catch (MailService.UnknownAddress e) {
        delivery.deadLetter(String.valueOf(e.getMessage()));
      }
    }
  }

  /** Accepts all of them or none; the answer says how busy this mailbox is. */
  Outcome<List<String>> enqueue(List<FanoutMessage<Email>> emails) {
    return fanout.accept(emails);
  }

  /**
   * Accepts a dead letter again, for the one target that refused it. Under the key of the dead
   * letter, so that doing this twice delivers once.
   */
  Outcome<List<String>> redrive(MessageFolder.Kept letter, Email email) {
    FanoutMessage<Email> again =
        FanoutMessage.of(letter.id(), email).withDeduplicationKey(letter.key());
    return fanout.accept(List.of(again), Set.of(letter.target()));
  }

  /** Whether anything is pending: then the mailbox must stay open. */
  boolean hasWork() {
    return fanout.pendingDeliveries() > 0;
  }

  @Override
  public void close() {
    fanout.close();
  }
}
