package io.waymark.examples.events;

import io.waymark.durable.FanoutMessage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Runs the event stream for a moment, with one of its consumers down at first. */
public final class EventStreamMain {
  private static final int PARTITIONS = 4;
  private static final int KEYS = 10;
  private static final int EVENTS_OF_KEY = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private EventStreamMain() {}

  /**
   * Runs it.
   *
   * @param args the folder of the stream; a new one by default
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    run(
        args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("event-stream-"),
        System.out);
  }

  static void run(Path folder, PrintStream out) throws IOException, InterruptedException {
    Map<String, Set<String>> billed = new ConcurrentHashMap<>();
    Set<String> indexed = ConcurrentHashMap.newKeySet();
    AtomicBoolean searchIsUp = new AtomicBoolean();
    Map<String, EventConsumer> consumers =
        Map.of(
            "billing",
            (partition, id, event) ->
                billed.computeIfAbsent(partition, p -> new ConcurrentSkipListSet<>()).add(id),
            "search",
            (partition, id, event) -> {
              if (!searchIsUp.get()) {
                throw new IOException("the index is down");
              }
              indexed.add(id); // an event that comes again changes nothing
            });
    try (EventStream stream = EventStream.open(folder, PARTITIONS, consumers)) {
      for (int i = 0; i < KEYS * EVENTS_OF_KEY; i++) {
        String key = "order-" + i % KEYS;
        stream.append(
            List.of(FanoutMessage.of(key + "/" + i / KEYS, new Event(key, "step " + i / KEYS))));
      }
      await(() -> stream.pending().getOrDefault("billing", 0L) == 0);
      out.println("while search is down:");
      out.println("  billing has " + count(billed) + ", search has " + indexed.size());
      out.println("  pending " + new TreeMap<>(stream.pending()));
      searchIsUp.set(true);
      await(() -> stream.pending().getOrDefault("search", 0L) == 0);
      out.println("when it is up again:");
      out.println("  billing has " + count(billed) + ", search has " + indexed.size());
      new TreeMap<>(billed)
          .forEach((partition, ids) -> out.println("  " + partition + ": " + keys(ids)));
    }
    out.println("files: " + folder);
  }

  private static int count(Map<String, Set<String>> byPartition) {
    return byPartition.values().stream().mapToInt(Set::size).sum();
  }

  private static Set<String> keys(Set<String> ids) {
    Set<String> keys = new TreeSet<>();
    ids.forEach(id -> keys.add(id.substring(0, id.indexOf('/'))));
    return keys;
  }

  private static void await(BooleanSupplier done) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!done.getAsBoolean() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }
}
