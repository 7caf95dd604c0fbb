package io.waymark.cli.queue;

import com.zaxxer.hikari.HikariDataSource;
import io.waymark.cli.processes.DemoDatabase;
import io.waymark.cli.processes.LineSocket;
import io.waymark.cli.processes.Wire;
import io.waymark.core.Outcome;
import io.waymark.durable.DurableStoreException;
import io.waymark.durable.StoreError;
import io.waymark.objects.NamedObjects;
import io.waymark.objects.NamedObjectsBuilder;
import io.waymark.objects.ObjectException;
import io.waymark.objects.ObjectFactory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A host: serves mailboxes to producers, those that it has and those that nobody has. */
final class HostWorker {
  private static final long ADOPT_MILLIS = 1000;
  private static final int CONNECTIONS = 12;

  private final NamedObjects<Mailbox> mailboxes;
  private final LongAdder opened;
  private final LongAdder fenced = new LongAdder();

  private HostWorker(NamedObjects<Mailbox> mailboxes, LongAdder opened) {
    this.mailboxes = mailboxes;
    this.opened = opened;
  }

  static void work(Place place, String host, PrintStream out)
      throws IOException, InterruptedException {
    try (Journal deadLetters = Journal.open(place.folder(), "dead")) {
      LongAdder opened = new LongAdder();
      ObjectFactory<Mailbox> factory =
          context -> {
            opened.increment();
            return new Mailbox(place, deadLetters, context);
          };
      if (place.isPostgres()) {
        try (HikariDataSource source = DemoDatabase.open(place.url(), CONNECTIONS)) {
          work(
              place,
              host,
              out,
              opened,
              NamedObjects.postgres(source, "mailboxes", factory).lease(Place.LEASE));
        }
      } else {
        Files.createDirectories(place.mailboxes(host));
        work(place, host, out, opened, NamedObjects.sqlite(place.mailboxes(host), factory));
      }
    }
  }

  private static void work(
      Place place,
      String host,
      PrintStream out,
      LongAdder opened,
      NamedObjectsBuilder<Mailbox> options)
      throws IOException, InterruptedException {
    try (NamedObjects<Mailbox> mailboxes =
        options
            .idleAfter(Duration.ofSeconds(2))
            .keepOpenWhile(mailbox -> mailbox.pending() > 0)
            .build()) {
      HostWorker worker = new HostWorker(mailboxes, opened);
      mailboxes.openAll();
      LineSocket.serveInBackground(
          place.socket(host), line -> Wire.text(worker.push(Wire.value(line, Push.class))));
      Wire.say(out, Said.class, new Said.Ready());
      Thread adopting = new Thread(worker::adopt, "waymark-demo-adopt");
      adopting.setDaemon(true);
      adopting.start();
      Reports.begin(out, worker::serves);
      Wire.orders(Order.class, order -> {});
      adopting.interrupt();
    }
  }

  /** Takes over what a host left that died: its mailboxes have work that nobody does. */
  private void adopt() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        TimeUnit.MILLISECONDS.sleep(ADOPT_MILLIS);
        try {
          mailboxes.openAll();
        } catch (ObjectException | DurableStoreException e) {
          System.err.println("mailboxes could not be opened; tried again: " + e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Said serves() {
    long pending = 0;
    int count = 0;
    for (String name : mailboxes.open()) {
      try {
        pending += mailboxes.<Long, RuntimeException>call(name, Mailbox::pending);
        count++;
      } catch (ObjectException | DurableStoreException e) {
        noteLoss(e);
      }
    }
    return new Said.Serves(count, pending, opened.sum(), fenced.sum());
  }

  private boolean noteLoss(RuntimeException e) {
    boolean lost = e instanceof DurableStoreException store && store.error() == StoreError.FENCED;
    if (lost) {
      fenced.increment();
    }
    return lost;
  }

  /** What is neither an answer nor surely nothing is thrown: the producer does not know then. */
  private Push.Answer push(Push push) {
    try {
      Outcome<?> outcome = mailboxes.call(push.mailbox(), mailbox -> mailbox.accept(push));
      if (outcome instanceof Outcome.Rejected<?> rejected) {
        return new Push.Answer(
            Push.Status.REJECTED,
            rejected.error().name(),
            rejected.error().message(),
            outcome.load().orElse(null));
      }
      return new Push.Answer(Push.Status.ACCEPTED, "", "", outcome.load().orElse(null));
    } catch (ObjectException e) { // nothing was called
      return elsewhere(e);
    } catch (DurableStoreException e) {
      if (noteLoss(e)) {
        return elsewhere(e);
      }
      throw e;
    }
  }

  private static Push.Answer elsewhere(RuntimeException e) {
    return new Push.Answer(Push.Status.ELSEWHERE, "", String.valueOf(e.getMessage()), null);
  }
}
