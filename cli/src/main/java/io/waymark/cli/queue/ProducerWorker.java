package io.waymark.cli.queue;

import io.waymark.cli.processes.Wire;
import io.waymark.core.Outcome;
import io.waymark.topology.routing.Router;
import io.waymark.topology.routing.ShardRouter;
import io.waymark.topology.routing.Timeout;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A producer: pushes messages of one customer after the other. A push whose outcome it does not
 * know it makes again, with the same ids and so to the same mailbox, until it knows.
 */
final class ProducerWorker {
  private static final int CUSTOMERS = 200;
  private static final int MOST_LETTERS = 8;
  private static final int LONGEST_REST_MILLIS = 20;
  private static final long REST_AFTER_FAILURE_MILLIS = 50;

  /** More pushes of a producer are not under way at once. */
  private static final int LANES = 3;

  private final String life;
  private final Journal journal;
  private final Router<List<Push.Item>, Integer> router;
  private final LongAdder accepted = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder notSent = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final AtomicLong number = new AtomicLong();
  private final AtomicInteger busyLanes = new AtomicInteger(LANES);
  private volatile boolean stop;

  private ProducerWorker(Place place, String name, Journal journal) {
    this.life = name + "-" + UUID.randomUUID();
    this.journal = journal;
    this.router = router(place);
  }

  /** All messages of a customer go to one mailbox, whatever happens to its host. */
  private static Router<List<Push.Item>, Integer> router(Place place) {
    Map<String, RemoteMailbox> mailboxes = new LinkedHashMap<>();
    Place.MAILBOXES.forEach(name -> mailboxes.put(name, new RemoteMailbox(place, name)));
    ShardRouter<RemoteMailbox, List<Push.Item>, Integer> router =
        ShardRouter.builder(RemoteMailbox.class)
            .shards(mailboxes)
            .invoke((RemoteMailbox mailbox, List<Push.Item> letters) -> mailbox.push(letters))
            .key(letters -> letters.get(0).letter().customer())
            .build();
    return router.with(Timeout.of(Place.ATTEMPT));
  }

  static void work(Place place, String name, long seed, PrintStream out) throws IOException {
    try (Journal journal = Journal.open(place.folder(), Comparison.ACCEPTED)) {
      ProducerWorker worker = new ProducerWorker(place, name, journal);
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 1; i <= LANES; i++) {
        SplittableRandom own = random.split();
        Thread lane = new Thread(() -> worker.pushOn(own), "waymark-demo-pushes-" + i);
        lane.setDaemon(true);
        lane.start();
      }
      Wire.say(out, Said.class, new Said.Ready());
      Reports.begin(out, worker::pushed);
      Wire.orders(Order.class, order -> worker.stop = true);
    }
  }

  private Said pushed() {
    return new Said.Pushed(
        accepted.sum(), unknown.sum(), notSent.sum(), rejected.sum(), busyLanes.get() == 0);
  }

  private void pushOn(SplittableRandom random) {
    try {
      while (!stop) {
        push(batch(random));
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_REST_MILLIS));
      }
      busyLanes.decrementAndGet();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      System.err.println("what was accepted cannot be written down: " + e);
      Runtime.getRuntime().halt(1);
    }
  }

  private List<Push.Item> batch(SplittableRandom random) {
    String customer = "customer-" + random.nextInt(CUSTOMERS);
    List<Push.Item> batch = new ArrayList<>();
    for (int left = random.nextInt(MOST_LETTERS); left >= 0; left--) {
      int draw = random.nextInt(100);
      Letter.Kind kind =
          draw < 2 ? Letter.Kind.POISON : draw < 7 ? Letter.Kind.LATE : Letter.Kind.PLAIN;
      batch.add(new Push.Item(life + "-" + number.incrementAndGet(), new Letter(customer, kind)));
    }
    return batch;
  }

  private void push(List<Push.Item> batch) throws IOException, InterruptedException {
    while (true) {
      try {
        Outcome<Integer> outcome = router.push(batch);
        if (outcome.isAccepted()) {
          journal.write(batch.stream().map(Comparison::line).toList());
          accepted.add(batch.size());
        } else {
          rejected.increment();
        }
        return;
      } catch (RuntimeException e) { // also one that the router or a timeout threw
        boolean surelyNot = e instanceof PushFailed failed && failed.isSurelyNotMade();
        (surelyNot ? notSent : unknown).increment();
        TimeUnit.MILLISECONDS.sleep(REST_AFTER_FAILURE_MILLIS);
      }
    }
  }
}
