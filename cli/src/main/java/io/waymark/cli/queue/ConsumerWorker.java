package io.waymark.cli.queue;

import io.waymark.cli.processes.LineSocket;
import io.waymark.cli.processes.Wire;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** A target: writes down what arrives, and answers when that is on disk. */
final class ConsumerWorker {
  private final String target;
  private final Journal journal;
  private final LongAdder messages = new LongAdder();
  private final LongAdder refused = new LongAdder();

  private ConsumerWorker(String target, Journal journal) {
    this.target = target;
    this.journal = journal;
  }

  static void work(Place place, String target, PrintStream out)
      throws IOException, InterruptedException {
    try (Journal journal = Journal.open(place.folder(), target)) {
      ConsumerWorker worker = new ConsumerWorker(target, journal);
      LineSocket.serveInBackground(
          place.socket(target), line -> Wire.text(worker.take(Wire.value(line, Parcel.class))));
      Wire.say(out, Said.class, new Said.Ready());
      Reports.begin(out, worker::took);
      Wire.orders(Order.class, order -> {});
    }
  }

  private Said took() {
    return new Said.Took(messages.sum(), refused.sum());
  }

  private Parcel.Answer take(Parcel parcel) throws IOException {
    List<Parcel.Verdict> verdicts = new ArrayList<>();
    List<String> taken = new ArrayList<>();
    for (Parcel.Item item : parcel.items()) {
      Parcel.Verdict verdict = verdict(item);
      verdicts.add(verdict);
      if (verdict == Parcel.Verdict.ACK) {
        taken.add(item.id());
      } else if (verdict == Parcel.Verdict.DEAD) {
        refused.increment();
      }
    }
    journal.write(taken);
    messages.add(taken.size());
    return new Parcel.Answer(verdicts);
  }

  private Parcel.Verdict verdict(Parcel.Item item) {
    if (!target.equals(Place.CONSUMER)) {
      return Parcel.Verdict.ACK;
    }
    return switch (item.kind()) {
      case PLAIN -> Parcel.Verdict.ACK;
      case LATE -> item.attempt() == 1 ? Parcel.Verdict.RETRY : Parcel.Verdict.ACK;
      case POISON -> Parcel.Verdict.DEAD;
    };
  }
}
