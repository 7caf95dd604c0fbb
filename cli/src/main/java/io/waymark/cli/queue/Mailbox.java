package io.waymark.cli.queue;

import io.waymark.cli.processes.LineSocket;
import io.waymark.cli.processes.Wire;
import io.waymark.core.Backoff;
import io.waymark.core.Outcome;
import io.waymark.durable.Fanout;
import io.waymark.durable.FanoutBatch;
import io.waymark.durable.FanoutDelivery;
import io.waymark.durable.FanoutMessage;
import io.waymark.durable.TargetOptions;
import io.waymark.objects.ObjectContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A shard: accepts messages, and delivers each to both targets until it is settled there. */
final class Mailbox implements AutoCloseable {
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

  /** Targets are killed on purpose; only what a target refuses is to become a dead letter. */
  private static final int ATTEMPTS = 1_000_000;

  private final Place place;
  private final Fanout<Letter> fanout;

  Mailbox(Place place, Journal deadLetters, ObjectContext context) {
    this.place = place;
    this.fanout =
        Fanout.builder(context.store(), "letters", Letter.class)
            .deliver(Place.CONSUMER, batch -> deliver(Place.CONSUMER, batch), Mailbox::options)
            .deliver(Place.ARCHIVE, batch -> deliver(Place.ARCHIVE, batch), Mailbox::options)
            .deadLetters(message -> deadLetters.write(List.of(message.messageId())))
            .build();
  }

  private static void options(TargetOptions options) {
    options.attempts(ATTEMPTS).attemptTimeout(Place.ATTEMPT).backoff(BACKOFF);
    options.batchSize(20).concurrency(2).ackOnReturn();
  }

  Outcome<List<String>> accept(Push push) {
    List<FanoutMessage<Letter>> messages = new ArrayList<>();
    push.letters().forEach(each -> messages.add(FanoutMessage.of(each.id(), each.letter())));
    return fanout.accept(messages);
  }

  long pending() {
    return fanout.pendingDeliveries();
  }

  private void deliver(String target, FanoutBatch<Letter> batch) throws IOException {
    List<FanoutDelivery<Letter>> deliveries = new ArrayList<>();
    List<Parcel.Item> items = new ArrayList<>();
    for (FanoutDelivery<Letter> each : batch) {
      deliveries.add(each);
      items.add(new Parcel.Item(each.messageId(), each.body().kind(), each.attempt()));
    }
    String line = LineSocket.call(place.socket(target), Wire.text(new Parcel(items)));
    List<Parcel.Verdict> verdicts = Wire.value(line, Parcel.Answer.class).verdicts();
    for (int i = 0; i < deliveries.size(); i++) {
      settle(deliveries.get(i), verdicts.get(i));
    }
  }

  private static void settle(FanoutDelivery<Letter> delivery, Parcel.Verdict verdict) {
    switch (verdict) {
      case ACK -> {} // all of the batch at once, when the callback returns
      case RETRY -> delivery.retry();
      case DEAD -> delivery.deadLetter("the consumer refuses it");
    }
  }

  @Override
  public void close() {
    fanout.close();
  }
}
