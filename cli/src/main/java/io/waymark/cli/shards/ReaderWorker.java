package io.waymark.cli.shards;

import io.waymark.cli.processes.DemoDatabase;
import io.waymark.cli.processes.Wire;
import io.waymark.publish.postgres.PostgresSnapshots;
import io.waymark.topology.DirectorySnapshots;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.SnapshotReader;
import io.waymark.topology.TopologyClient;
import io.waymark.topology.TopologyUnavailableException;
import io.waymark.topology.UnavailableReason;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A reader: asks its client again and again who is there, and says each change of the answer. */
final class ReaderWorker {
  private static final long REST_MICROS = 2_000;
  private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final PrintStream out;
  private final TopologyClient client;
  private @Nullable GroupSnapshot seen;
  private long reads;
  private long saidAt = System.nanoTime();

  private ReaderWorker(PrintStream out, TopologyClient client) {
    this.out = out;
    this.client = client;
  }

  static void work(Place place, PrintStream out) throws IOException {
    try (TopologyClient client =
        TopologyClient.builder(reader(place))
            .ttl(Duration.ofSeconds(5))
            .negativeTtl(Duration.ofMillis(200))
            .staleIfError(Duration.ofMinutes(1))
            .build()) {
      ReaderWorker reader = new ReaderWorker(out, client);
      Thread thread = new Thread(reader::readOn, "waymark-demo-reads");
      thread.setDaemon(true);
      thread.start();
      Wire.say(out, Said.class, new Said.Ready());
      Wire.orders(Order.class, order -> {});
      thread.interrupt();
    }
  }

  private static SnapshotReader reader(Place place) {
    if (!place.isPostgres()) {
      return DirectorySnapshots.in(place.published()).reader();
    }
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(place.url());
    source.setUser(DemoDatabase.ROLE);
    return PostgresSnapshots.builder(source)
        .listen(place.url(), DemoDatabase.properties())
        .heartbeat(Duration.ofSeconds(2))
        .build();
  }

  private void readOn() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        read();
        TimeUnit.MICROSECONDS.sleep(REST_MICROS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    reads++;
    try {
      GroupSnapshot now = client.get(Place.GROUP);
      GroupSnapshot before = seen;
      if (before == null || !before.stamp().equals(now.stamp())) {
        seen = now;
        say(now, before == null ? -1 : sinceChange(now));
      }
    } catch (TopologyUnavailableException e) {
      boolean vanished =
          e.reason() == UnavailableReason.MISSING || e.reason() == UnavailableReason.DELETED;
      if (vanished && seen != null) {
        seen = null;
        say(null, -1);
      }
    }
    GroupSnapshot held = seen;
    if (System.nanoTime() - saidAt > SILENCE_NANOS) {
      say(held, -1);
    }
  }

  private static long sinceChange(GroupSnapshot group) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) - Beliefs.changedAt(group);
  }

  private void say(@Nullable GroupSnapshot held, long micros) {
    saidAt = System.nanoTime();
    Wire.say(
        out,
        Said.class,
        new Said.Believes(
            held == null ? "" : held.stamp().toString(),
            held == null ? "" : Beliefs.text(held),
            reads,
            micros));
  }
}
