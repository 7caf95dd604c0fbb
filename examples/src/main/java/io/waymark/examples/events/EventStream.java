package io.waymark.examples.events;

import io.waymark.core.JumpHash;
import io.waymark.core.Outcome;
import io.waymark.durable.FanoutMessage;
import io.waymark.objects.NamedObjects;
import io.waymark.topology.routing.Router;
import io.waymark.topology.routing.Shard;
import io.waymark.topology.routing.ShardRouter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A stream of so many partitions, in files of one process. */
public final class EventStream implements AutoCloseable {
  private final NamedObjects<Partition> partitions;
  private final Router<List<FanoutMessage<Event>>, List<String>> router;

  private EventStream(NamedObjects<Partition> partitions, int count) {
    this.partitions = partitions;
    this.router =
        ShardRouter.builder(Shard.class)
            .shards(shard -> shard)
            .invoke(
                (Shard shard, List<FanoutMessage<Event>> events) ->
                    partitions.call(shard.name(), partition -> partition.append(events)))
            .sharding(
                (events, context, seen) ->
                    Shard.named(partitionOf(events.get(0).body().key(), count)))
            .build();
  }

  /**
   * Opens a stream, and goes on with what its consumers have not taken.
   *
   * @param folder of its files; made if it is missing
   * @param partitions how many; more of them later moves a part of the keys
   * @param consumers by name; one that is added later gets what is appended from then on
   */
  public static EventStream open(Path folder, int partitions, Map<String, EventConsumer> consumers)
      throws IOException {
    NamedObjects<Partition> objects =
        NamedObjects.sqlite(
                Files.createDirectories(folder), context -> new Partition(context, consumers))
            .idleAfter(Duration.ofSeconds(30))
            .keepOpenWhile(Partition::hasWork)
            .build();
    objects.openAll();
    return new EventStream(objects, partitions);
  }

  /** The partition of a key: the same on every process and after every start. */
  static String partitionOf(String key, int partitions) {
    return "partition-" + JumpHash.bucket(key, partitions);
  }

  /**
   * Appends events of one key. If it throws, nobody knows whether they were accepted: append the
   * same messages again, and those that are not taken yet by all are recognised.
   *
   * @param events at least one, all of one key
   */
  public Outcome<List<String>> append(List<FanoutMessage<Event>> events) {
    if (events.stream().map(each -> each.body().key()).distinct().count() != 1) {
      throw new IllegalArgumentException("events of one push must have one key");
    }
    return router.push(events);
  }

  /** How many events each consumer has not taken yet, of the partitions that are open. */
  public Map<String, Long> pending() {
    Map<String, Long> sum = new TreeMap<>();
    for (String name : partitions.open()) {
      Map<String, Long> pending =
          partitions.<Map<String, Long>, RuntimeException>call(name, Partition::pending);
      pending.forEach((consumer, count) -> sum.merge(consumer, count, Long::sum));
    }
    return sum;
  }

  /** Stops. What was not taken is handed on when the stream is opened again. */
  @Override
  public void close() {
    partitions.close();
  }
}
