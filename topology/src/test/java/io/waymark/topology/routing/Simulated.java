package io.waymark.topology.routing;

import io.waymark.core.RoutingLoad;
import io.waymark.testing.SettableTicker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Shards with a queue each, callers with a picker each, and calls that come in by chance, on a
 * ticker that moves from one thing that happens to the next. A unit is the mean time of a call.
 */
final class Simulated {
  static final long UNIT = Duration.ofMillis(10).toNanos();

  /** How long it takes to fail at once. */
  private static final long REFUSAL = UNIT / 50;

  private record Due(long at, long order, Runnable action) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** A shard: one call after the other. */
  final class Server {
    final String name;
    final RoutingLoad load;
    double slowness = 1;
    boolean broken;
    long calls;
    long failed;
    private long freeAt;

    Server(String name, Duration skew) {
      this.name = name;
      Instant epoch = Instant.parse("2026-01-01T00:00:00Z");
      this.load = RoutingLoad.of(ticker, Clock.offset(Clock.fixed(epoch, ZoneOffset.UTC), skew));
    }

    private void serve(Pick pick) {
      calls++;
      if (broken) {
        failed++;
        after(REFUSAL, pick::failed);
        return;
      }
      long begun = load.beginInbound();
      long work = (long) (random.nextExponential() * slowness * UNIT);
      freeAt = Math.max(freeAt, ticker.getAsLong()) + work;
      after(
          freeAt - ticker.getAsLong(),
          () -> {
            load.endInbound(begun);
            pick.answered(load.snapshot());
          });
    }
  }

  final SettableTicker ticker = new SettableTicker();
  final SplittableRandom random;
  final List<ShardPicker> callers = new ArrayList<>();
  private final Map<String, Server> servers = new HashMap<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private final double rate;
  private long order;

  /**
   * @param rate calls in a unit, of all callers together
   */
  Simulated(long seed, double rate) {
    this.random = new SplittableRandom(seed);
    this.rate = rate;
    after(0, this::arrive);
  }

  List<Server> servers(int count, Duration skew) {
    return IntStream.range(0, count).mapToObj(i -> server("s" + i, skew)).toList();
  }

  Server server(String name, Duration skew) {
    Server server = new Server(name, skew);
    servers.put(name, server);
    return server;
  }

  static List<ShardMember> members(List<Server> servers) {
    return servers.stream().map(server -> ShardMember.of(server.name)).toList();
  }

  void callers(int count, List<ShardMember> members, UnaryOperator<ShardPickerBuilder> settings) {
    for (int i = 0; i < count; i++) {
      callers.add(
          settings
              .apply(
                  ShardPicker.builder().ticker(ticker).random(random.split()).client("caller-" + i))
              .members(members));
    }
  }

  private void arrive() {
    after((long) (random.nextExponential() / rate * UNIT), this::arrive);
    if (!callers.isEmpty()) {
      Pick pick = callers.get(random.nextInt(callers.size())).pick();
      @Nullable Server server = servers.get(pick.shard());
      if (server != null) {
        server.serve(pick);
      }
    }
  }

  void after(long nanos, Runnable action) {
    due.add(new Due(ticker.getAsLong() + nanos, order++, action));
  }

  void pass(double units) {
    long end = ticker.getAsLong() + (long) (units * UNIT);
    for (Due next = due.peek(); next != null && next.at <= end; next = due.peek()) {
      due.remove();
      ticker.set(next.at);
      next.action.run();
    }
    ticker.set(end);
  }

  /** The part of the calls from now on that each server gets. */
  Map<String, Double> shares(double units) {
    servers.values().forEach(server -> server.calls = 0);
    pass(units);
    double all = servers.values().stream().mapToLong(server -> server.calls).sum();
    Map<String, Double> shares = new HashMap<>();
    servers.forEach((name, server) -> shares.put(name, server.calls / all));
    return shares;
  }
}
