package io.waymark.cli.simulation;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.RoutingLoad;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A member: where calls are worked on, and what it says of its load with every answer. */
final class Shard {
  private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

  private final Server server;
  private final @Nullable RoutingLoad load;
  private @Nullable LoadSnapshot posted;
  private int inside;
  private long taken;
  private boolean broken;

  private Shard(Server server, @Nullable RoutingLoad load) {
    this.server = server;
    this.load = load;
  }

  /** A member that says nothing. */
  static Shard silent(Server server) {
    return new Shard(server, null);
  }

  /** A member that says what the product's own observer has counted. */
  static Shard observed(Server server, VirtualTime time) {
    return observed(server, time, Duration.ZERO);
  }

  /** The same with a wall clock that is fast by so much. */
  static Shard observed(Server server, VirtualTime time, Duration fast) {
    return new Shard(server, RoutingLoad.of(time, clock(time, fast)));
  }

  /** A wall clock over virtual time. */
  static Clock clock(VirtualTime time, Duration fast) {
    InstantSource source = () -> BEGINNING.plusNanos(time.getAsLong()).plus(fast);
    return source.withZone(ZoneOffset.UTC);
  }

  /** From now on says that this much waits in it. */
  void backlog(LongSupplier pending) {
    Objects.requireNonNull(load).attach(pending);
  }

  /** From now on fails every call at once, or no longer does. */
  void broken(boolean broken) {
    this.broken = broken;
  }

  boolean isBroken() {
    return broken;
  }

  /** Calls that it has not answered. */
  int inside() {
    return inside;
  }

  /** Calls that were sent to it. */
  long taken() {
    return taken;
  }

  /** Looks at its load: from now on it says what it saw now, until it looks again. */
  void post() {
    posted = load == null ? null : load.snapshot();
  }

  /** What it says of its load: what was posted, or the load now; null if it says nothing. */
  @Nullable LoadSnapshot says() {
    return posted != null || load == null ? posted : load.snapshot();
  }

  void take(long work, Runnable done) {
    taken++;
    inside++;
    long started = load == null ? 0 : load.beginInbound();
    server.take(
        work,
        () -> {
          inside--;
          if (load != null) {
            load.endInbound(started);
          }
          done.run();
        });
  }

  /** Counts a call that it failed at once. */
  void refused() {
    taken++;
  }
}
