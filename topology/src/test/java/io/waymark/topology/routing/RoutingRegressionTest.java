package io.waymark.topology.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Circuit;
import io.waymark.core.Outcome;
import io.waymark.core.Vitals;
import io.waymark.testing.SeededRandom;
import io.waymark.testing.SettableTicker;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemorySnapshots;
import io.waymark.topology.Stamp;
import io.waymark.topology.TopologyClient;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What others of this kind got wrong, with a public thread about each, and what is weak in the
 * published design; as simulations on a ticker where it takes a crowd to see it.
 */
class RoutingRegressionTest {
  private static final UnaryOperator<ShardPickerBuilder> AS_BUILT = UnaryOperator.identity();

  private final SeededRandom random = SeededRandom.create();

  /** Stork 1121: a counter that overflowed gave an index of -5. */
  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1, Long.MAX_VALUE - 2, Long.MAX_VALUE, Long.MIN_VALUE})
  void whateverIsDrawnAPickIsAShard(long drawn) {
    List<ShardMember> members =
        IntStream.range(0, 7).mapToObj(i -> ShardMember.of("s" + i)).toList();
    ShardPicker picker = ShardPicker.builder().random(() -> drawn).members(members);

    for (int i = 0; i < 100; i++) {
      assertThat(members).contains(ShardMember.of(picker.pick().shard()));
    }
  }

  /** Astyanax 17, fasthttp 865, Styx 94: fast errors looked like a fast and idle host. */
  @Test
  void shardsThatFailAtOnceGetNextToNothing() {
    Simulated simulated = new Simulated(random.nextLong(), 0.7 * 16);
    List<Simulated.Server> servers = simulated.servers(16, Duration.ZERO);
    servers.get(3).broken = true;
    servers.get(11).broken = true;
    simulated.callers(4, Simulated.members(servers), AS_BUILT);
    simulated.pass(500);

    Map<String, Double> shares = simulated.shares(3_000);

    assertThat(share(shares, "s3") + share(shares, "s11")).as("%s", random).isLessThan(0.03);
  }

  private static double share(Map<String, Double> shares, String shard) {
    return shares.getOrDefault(shard, 0.0);
  }

  /** The same where nothing may be left out: the cost of failures alone. */
  @Test
  void shardsThatFailAtOnceAreShunnedAlsoBeyondTheLimitOfThoseLeftOut() {
    Simulated simulated = new Simulated(random.nextLong(), 0.7 * 16);
    List<Simulated.Server> servers = simulated.servers(16, Duration.ZERO);
    servers.get(3).broken = true;
    servers.get(11).broken = true;
    simulated.callers(4, Simulated.members(servers), p -> p.maxEjected(0.01));
    simulated.pass(500);

    Map<String, Double> shares = simulated.shares(3_000);

    assertThat(share(shares, "s3") + share(shares, "s11")).as("%s", random).isLessThan(0.03);
  }

  /** Envoy 20907: the time that an error took counted as latency. */
  @Test
  void theTimeOfAFailureIsNoLatency() {
    SettableTicker ticker = new SettableTicker();
    ShardPicker picker =
        ShardPicker.builder()
            .ticker(ticker)
            .random(random)
            .failureCost(Duration.ZERO)
            .failuresToEject(1_000)
            .slowStart(Duration.ZERO)
            .members(List.of(ShardMember.of("fails"), ShardMember.of("works")));
    int fails = 0;
    for (int i = 0; i < 4_000; i++) {
      Pick pick = picker.pick();
      if (pick.shard().equals("fails")) {
        fails++;
        ticker.advance(Duration.ofNanos(100_000));
        pick.failed();
      } else {
        ticker.advance(Duration.ofMillis(10));
        pick.answered(null);
      }
    }

    assertThat(fails / 4_000.0).as("half, though it is fast: %s", random).isLessThan(0.55);
  }

  /** Traefik 12306: after one slow call, 5 of 1,500 requests. */
  @Test
  void aShardWhoseFirstCallWasSlowGetsItsShareAgain() {
    Simulated simulated = new Simulated(random.nextLong(), 0.5 * 8);
    List<Simulated.Server> servers = simulated.servers(8, Duration.ZERO);
    servers.get(0).slowness = 100;
    simulated.callers(1, Simulated.members(servers), p -> p.slowStart(Duration.ZERO));
    while (servers.get(0).calls == 0) {
      simulated.pass(1);
    }
    servers.get(0).slowness = 1;
    simulated.pass(5 * Standing.BELIEVED + 300); // the slow call itself and five decays

    assertThat(share(simulated.shares(1_000), "s0")).as("%s", random).isGreaterThan(0.5 / 8);
  }

  /** Dubbo 15810: a penalty that always applied hid the latency. */
  @Test
  void theCostRisesWithLatencyAndWithLoad() {
    SettableTicker ticker = new SettableTicker();
    Standing standing = new Standing(Duration.ofSeconds(60).toNanos(), 1000, 1e9);
    for (int i = 0; i < 1_000; i++) {
      Usual usual = new Usual(2, 50, 50, 1e6 * (1 + random.nextInt(100)), 5);
      // Within the bounds of slowness, a tenth to nine times the usual; about usual is usual.
      double latency = usual.latencyNanos() * (0.11 + 5 * random.nextDouble());
      ShardCell one = cell(ticker, latency);
      ShardCell slower = cell(ticker, latency * 1.6);
      ShardCell busier = cell(ticker, latency);
      busier.vitals().started();
      ShardCell failing = cell(ticker, latency);
      failing.failed(0, 1e9);
      long pending = random.nextInt(10_000);
      ShardCell waiting = heard(cell(ticker, latency), Loads.pending(pending));
      ShardCell waitingMore = heard(cell(ticker, latency), Loads.pending(pending + 1));
      ShardCell fuller = heard(cell(ticker, latency), Loads.pending(pending).inbound(1));
      for (ShardCell each : List.of(one, slower, busier, failing, waiting, waitingMore, fuller)) {
        each.settle(0, usual, standing);
      }

      assertThat(slower.expectedCost()).as("%s", random).isGreaterThan(one.expectedCost());
      assertThat(busier.expectedCost()).as("%s", random).isGreaterThan(slower.expectedCost());
      assertThat(failing.expectedCost()).as("%s", random).isGreaterThan(one.expectedCost());
      assertThat(waitingMore.expectedCost()).isGreaterThan(waiting.expectedCost());
      assertThat(fuller.expectedCost()).isGreaterThan(waiting.expectedCost());
    }
  }

  private static ShardCell cell(SettableTicker ticker, double latency) {
    ShardCell cell =
        new ShardCell("s", 0, 1, new Vitals(new Circuit(Duration.ofSeconds(1), ticker)));
    cell.answered(0, (long) latency);
    return cell;
  }

  private static ShardCell heard(ShardCell cell, Loads load) {
    cell.observe(load.snapshot(), 0);
    return cell;
  }

  /** Envoy 3263, 17504, 26877: a limit that was checked before, or "at least one". */
  @ParameterizedTest(name = "of {0} at most {1}: {2}")
  @CsvSource({
    "1, 0.1, 0", "1, 0.5, 0", "1, 1, 0",
    "2, 0.1, 0", "2, 0.5, 1", "2, 1, 1",
    "3, 0.1, 0", "3, 0.5, 1", "3, 1, 2",
    "10, 0.1, 1", "10, 0.5, 5", "10, 1, 9",
  })
  void theShareThatIsLeftOutIsRoundedDownAndNeverAll(int n, double most, int out) {
    SettableTicker ticker = new SettableTicker();
    ShardPicker picker =
        ShardPicker.builder()
            .ticker(ticker)
            .random(random)
            .failureCost(Duration.ZERO)
            .maxEjected(most)
            .members(IntStream.range(0, n).mapToObj(i -> ShardMember.of("s" + i)).toList());
    for (int i = 0; i < 100 * n; i++) {
      picker.pick().failed();
    }
    ticker.advance(Duration.ofSeconds(1)); // before the first trial

    Set<String> used = new HashSet<>();
    for (int i = 0; i < 2_000; i++) {
      Pick pick = picker.pick();
      used.add(pick.shard());
      pick.abandoned();
    }

    assertThat(used).as("%s", random).hasSize(n - out);
  }

  /** Envoy 11050, 19437, 23328, 26290: new hosts flooded, or starved for ever. */
  @Test
  void aNewShardGetsMoreAndMoreAndNeverMoreThanItsTurn() {
    Simulated simulated = new Simulated(random.nextLong(), 0.7 * 8);
    List<Simulated.Server> servers = new ArrayList<>(simulated.servers(7, Duration.ZERO));
    simulated.callers(2, Simulated.members(servers), AS_BUILT);
    simulated.pass(1_500); // slow start is 10 s, 1,000 units

    servers.add(simulated.server("new", Duration.ZERO));
    simulated.callers.forEach(caller -> caller.members(Simulated.members(servers)));

    double first = share(simulated.shares(100), "new");
    simulated.pass(350);
    double halfWay = share(simulated.shares(100), "new");
    simulated.pass(450);
    double afterwards = share(simulated.shares(1_000), "new");
    assertThat(first).as("%s", random).isBetween(0.001, 0.07);
    assertThat(halfWay).as("%s", random).isBetween(0.03, 0.13);
    assertThat(afterwards).as("%s", random).isBetween(0.1, 0.15);
  }

  /** Cassandra driver 1743: what was kept of nodes outlived them. */
  @Test
  void nothingOutlivesAHundredThousandMembers() {
    MemorySnapshots store = new MemorySnapshots();
    List<WeakReference<Object>> stubs = new ArrayList<>();
    try (TopologyClient client = TopologyClient.builder(store.reader()).build()) {
      ShardRouter<Object, String, String> router =
          ShardRouter.builder(Object.class)
              .group(
                  client,
                  "acme",
                  member -> {
                    Object stub = new Object();
                    stubs.add(new WeakReference<>(stub));
                    return stub;
                  })
              .invoke((Object stub, String input) -> Outcome.accepted(input))
              .build();
      for (int generation = 0; generation < 1_000; generation++) {
        int first = generation * 100;
        List<Member> members =
            IntStream.range(first, first + 100).mapToObj(i -> Member.active("m" + i)).toList();
        Stamp stamp = Stamp.parse("1." + (generation + 1) + "@c1");
        store.publisher().write(new GroupSnapshot("acme", stamp, members));
        for (int i = 0; i < 10; i++) {
          router.push("x");
        }
      }
      assertThat(stubs).hasSizeGreaterThan(5_000);
      assertThat(router.width()).isEqualTo(100);
      assertThat(router.inspect().passedOver()).hasSize(99);

      await()
          .untilAsserted(
              () -> {
                System.gc();
                assertThat(stubs.stream().filter(stub -> stub.get() != null).count())
                    .isLessThanOrEqualTo(100);
              });
    }
  }

  /** The same with shards that a rule names. */
  @Test
  void ofAHundredThousandNamedShardsNoMoreThanTheBoundIsKept() {
    ShardRouter<Shard, String, String> router =
        ShardRouter.builder(Shard.class)
            .shards((Shard shard) -> shard)
            .invoke(
                (Shard shard, String input) -> Outcome.accepted(input, Loads.pending(1).snapshot()))
            .sharding((input, context, seen) -> Shard.named(input))
            .build();

    IntStream.range(0, 100_000).forEach(i -> router.push("s" + i));

    assertThat(router.observations()).hasSize(1024).containsKey("s99999");
  }

  /** Ribbon 438: after an error in an update the list was frozen for ever. */
  @Test
  void anErrorInAListenerFreezesNothing() {
    List<RoutingChange> heard = new ArrayList<>();
    ShardPicker picker =
        ShardPicker.builder()
            .random(random)
            .maxEjected(1)
            .failuresToEject(1)
            .onChange(
                change -> {
                  heard.add(change);
                  throw new Error("said the listener", null, false, false) {
                    private static final long serialVersionUID = 1;
                  };
                })
            .members(List.of(ShardMember.of("a"), ShardMember.of("b")));
    String first = picker.pick().shard();
    Pick failing = picker.pick();
    failing.failed();
    assertThat(heard).containsExactly(new RoutingChange.Ejected(failing.shard(), 1));

    picker.members(List.of(ShardMember.of("c")));

    assertThat(first).isIn("a", "b");
    assertThat(picker.pick().shard()).isEqualTo("c");
    assertThat(heard).hasSizeGreaterThan(1);
  }

  /** Ribbon 327: threads that never stopped. */
  @Test
  void aRouterHasNoThreadOfItsOwn() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    ShardPicker picker = ShardPicker.builder().numbered();
    for (int i = 0; i < 1_000; i++) {
      picker.pick().answered(Loads.pending(i).snapshot());
    }

    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> !before.contains(thread))
        .noneMatch(thread -> thread.getName().contains("waymark"));
  }

  /** Curator 962, Artemis 2481: a step of the wall clock expired everything, or nothing. */
  @Test
  void clocksOfShardsThatAreAQuarterOfAnHourWrongChangeNothing() {
    long seed = random.nextLong();
    Map<String, Double> exact = sharesWithSkew(seed, Duration.ZERO);

    assertThat(sharesWithSkew(seed, Duration.ofMinutes(15))).as("%s", random).isEqualTo(exact);
    assertThat(sharesWithSkew(seed, Duration.ofMinutes(-15))).as("%s", random).isEqualTo(exact);
  }

  private static Map<String, Double> sharesWithSkew(long seed, Duration skew) {
    Simulated simulated = new Simulated(seed, 0.8 * 4);
    List<Simulated.Server> servers = simulated.servers(4, skew);
    simulated.callers(2, Simulated.members(servers), AS_BUILT);
    return simulated.shares(500);
  }

  /** The published design: all that push before the first answer have the same old picture. */
  @Test
  void aCrowdThatPushesBeforeTheFirstAnswerSpreads() {
    ShardPicker picker =
        ShardPicker.builder()
            .random(random)
            .members(IntStream.range(0, 10).mapToObj(i -> ShardMember.of("s" + i)).toList());
    Map<String, Integer> crowd = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      crowd.merge(picker.pick().shard(), 1, Integer::sum);
    }

    assertThat(crowd.values()).as("%s", random).allSatisfy(n -> assertThat(n).isBetween(90, 110));
  }

  /** The published design: after each widening all land on the shard that is not known yet. */
  @Test
  void aShardThatIsNotKnownYetIsNotOverrun() {
    SettableTicker ticker = new SettableTicker();
    ShardPicker picker =
        ShardPicker.builder()
            .ticker(ticker)
            .random(new SplittableRandom(random.nextLong()))
            .startWidth(3)
            .numbered();
    Loads busy = Loads.pending(2_000);
    for (int i = 0; i < 200; i++) {
      ticker.advance(Duration.ofMillis(10));
      picker.pick().answered(busy.snapshot());
    }
    assertThat(picker.width()).isGreaterThan(3);
    int width = picker.width();
    Map<String, Integer> crowd = new HashMap<>();
    for (int i = 0; i < 400; i++) {
      crowd.merge(picker.pick().shard(), 1, Integer::sum);
    }

    String newest = ShardPicker.numberedName(width - 1);
    assertThat(crowd.getOrDefault(newest, 0)).as("%s", random).isLessThanOrEqualTo(440 / width);
  }

  /** The published design: a null average counts as no load, so that who hangs looks idle. */
  @Test
  void aShardThatHangsGetsNothingMore() {
    Simulated simulated = new Simulated(random.nextLong(), 0.5 * 4);
    List<Simulated.Server> servers = simulated.servers(4, Duration.ZERO);
    simulated.callers(1, Simulated.members(servers), AS_BUILT);
    simulated.pass(200);
    servers.get(2).slowness = 1e6;
    simulated.pass(200);

    assertThat(share(simulated.shares(1_000), "s2")).as("%s", random).isLessThan(0.005);
  }

  /** The published design: the width grows for ever under a backlog that nothing drains. */
  @Test
  void theWidthStaysWithinItsBounds() {
    SettableTicker ticker = new SettableTicker();
    ShardPicker picker =
        ShardPicker.builder()
            .ticker(ticker)
            .random(new SplittableRandom(random.nextLong()))
            .maxWidth(5)
            .numbered();
    for (int i = 0; i < 2_000; i++) {
      ticker.advance(Duration.ofMillis(50));
      picker.pick().answered(Loads.pending(1_000_000).snapshot());
    }

    assertThat(picker.width()).as("%s", random).isEqualTo(5);
  }

  /** A tenth of failing calls everywhere is the application's trouble, not a shard's. */
  @Test
  void failuresThatAllHaveLeaveTheSharesAsTheyAre() {
    ShardPicker picker =
        ShardPicker.builder()
            .ticker(new SettableTicker())
            .random(random)
            .members(IntStream.range(0, 5).mapToObj(i -> ShardMember.of("s" + i)).toList());
    Map<String, Integer> calls = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      Pick pick = picker.pick();
      int number = calls.merge(pick.shard(), 1, Integer::sum);
      if (number % 10 == 0) { // never five in a row, which chance would give now and then
        pick.failed();
      } else {
        pick.answered(null);
      }
    }

    assertThat(calls.values())
        .as("%s", random)
        .allSatisfy(n -> assertThat(n / 10_000.0).isCloseTo(0.2, within(0.04)));
  }
}
