package io.waymark.topology.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.Meters;
import io.waymark.core.OptionException;
import io.waymark.core.Outcome;
import io.waymark.core.RoutingLoad;
import io.waymark.testing.SettableTicker;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardRouterTest {
  private static final ContextKey<Function<String, String>> ROUTE = ContextKey.of("route");

  /** What was called: the stub and the input. */
  private record Call(Shard shard, List<String> input) {}

  private final List<Call> calls = new ArrayList<>();
  private final SettableTicker ticker = new SettableTicker();
  private final AtomicLong millis = new AtomicLong(1_000_000);
  private final List<Object> events = new ArrayList<>();

  /** A router of numbered shards whose stub is the shard itself. */
  private ShardRouterBuilder<Shard, List<String>, String> builder(
      BiFunction<Shard, List<String>, Outcome<String>> answer) {
    return ShardRouter.builder(Shard.class)
        .shards((Shard shard) -> shard)
        .invoke(
            (Shard shard, List<String> input) -> {
              calls.add(new Call(shard, input));
              return answer.apply(shard, input);
            })
        .picking(
            p ->
                p.ticker(ticker)
                    .clock(() -> Instant.ofEpochMilli(millis.get()))
                    .random(new SplittableRandom(3)));
  }

  private static Outcome<String> accepted(Shard shard, List<String> input) {
    return Outcome.accepted("receipt of " + shard.name());
  }

  private Loads now(long pending) {
    return Loads.pending(pending).at(millis.get());
  }

  private void passes(Duration time) {
    ticker.advance(time);
    millis.addAndGet(time.toMillis());
  }

  @ParameterizedTest
  @EnumSource(RoutingPolicy.class)
  void theWholeInputGoesToOneShardInOneCall(RoutingPolicy policy) {
    ShardRouter<Shard, List<String>, String> router =
        builder(ShardRouterTest::accepted).policy(policy).build();

    Outcome<String> outcome = router.push(List.of("one", "two", "three"));

    assertThat(calls).hasSize(1);
    assertThat(calls.get(0).input).containsExactly("one", "two", "three");
    assertThat(outcome).isEqualTo(Outcome.accepted("receipt of " + calls.get(0).shard.name()));
  }

  @ParameterizedTest
  @EnumSource(RoutingPolicy.class)
  void aRuleSeesInputContextAndLoadsAndItsHintGoesThrough(RoutingPolicy policy) {
    List<Object> saw = new ArrayList<>();
    ShardRouter<Shard, List<String>, String> router =
        builder(ShardRouterTest::accepted)
            .policy(policy)
            .sharding(
                (input, context, seen) -> {
                  saw.add(input);
                  saw.add(Map.copyOf(seen));
                  return Shard.named(context.get(ROUTE).orElseThrow().apply(input.get(0)))
                      .near("weur");
                })
            .onRoute(events::add)
            .build();

    router.push(List.of("one", "two"), RoutingContext.of(ROUTE, first -> "of-" + first));

    assertThat(saw).containsExactly(List.of("one", "two"), Map.of());
    assertThat(calls)
        .containsExactly(new Call(new Shard("of-one", Optional.of("weur")), List.of("one", "two")));
    assertThat(events)
        .containsExactly(
            new PushEvent(new Shard("of-one", Optional.of("weur")), "sharding:of-one"));
  }

  @ParameterizedTest
  @EnumSource(RoutingPolicy.class)
  void aRejectionIsReturnedAsTheSameObjectAndItsLoadCounts(RoutingPolicy policy) {
    Outcome<String> rejection = Outcome.rejected("Full", "no room", now(17).snapshot());
    ShardRouter<Shard, List<String>, String> router =
        builder((shard, input) -> rejection).policy(policy).build();

    assertThat(router.push(List.of())).isSameAs(rejection);

    assertThat(calls).hasSize(1);
    assertThat(router.observations().values()).containsExactly(now(17).snapshot());
  }

  @ParameterizedTest
  @EnumSource(RoutingPolicy.class)
  void whatTheCallThrowsIsThrownAsItIsAndNothingIsObserved(RoutingPolicy policy) {
    RuntimeException down = new UncheckedIOException(new java.io.IOException("connection reset"));
    ShardRouter<Shard, List<String>, String> router =
        builder(
                (shard, input) -> {
                  throw down;
                })
            .policy(policy)
            .build();

    assertThatThrownBy(() -> router.push(List.of())).isSameAs(down);

    assertThat(calls).hasSize(1);
    assertThat(router.observations()).isEmpty();
  }

  @Test
  void underTheCompatiblePolicyAnOverloadReachesTheNextShardAtTheNextPush() {
    ScriptedRandom random = new ScriptedRandom().next(0.99, 0.99, 0.99, 0.99);
    ShardRouter<Shard, List<String>, String> router =
        builder((shard, input) -> Outcome.accepted("", now(1001).snapshot()))
            .policy(RoutingPolicy.COMPATIBLE)
            .picking(p -> p.random(random))
            .build();

    router.push(List.of());
    router.push(List.of());

    assertThat(calls)
        .extracting(Call::shard)
        .containsExactly(Shard.named("shard-0"), Shard.named("shard-1"));
  }

  @ParameterizedTest
  @EnumSource(RoutingPolicy.class)
  void observationsAreGoneSixtySecondsLater(RoutingPolicy policy) {
    ShardRouter<Shard, List<String>, String> router =
        builder((shard, input) -> Outcome.accepted("", now(3).snapshot())).policy(policy).build();
    router.push(List.of());

    passes(Duration.ofMillis(59_999));
    assertThat(router.observations()).hasSize(1);
    passes(Duration.ofMillis(1));

    assertThat(router.observations()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(RoutingPolicy.class)
  void aRuleSeesWhatShardsMeasuredAndCannotChangeIt(RoutingPolicy policy) {
    RoutingLoad load =
        RoutingLoad.of(
            ticker,
            java.time.Clock.fixed(Instant.ofEpochMilli(millis.get()), java.time.ZoneOffset.UTC));
    load.attach(() -> 12);
    List<LoadSnapshot> saw = new ArrayList<>();
    ShardRouter<Shard, List<String>, String> router =
        builder(
                (shard, input) -> {
                  long begun = load.beginInbound();
                  ticker.advance(Duration.ofMillis(20));
                  load.endInbound(begun);
                  return Outcome.accepted("", load.snapshot());
                })
            .policy(policy)
            .sharding(
                (input, context, seen) -> {
                  LoadSnapshot known = seen.get("mine");
                  if (known != null) {
                    saw.add(known);
                    assertThat(seen).containsOnlyKeys("mine").hasSize(1);
                  }
                  assertThatThrownBy(seen::clear).isInstanceOf(UnsupportedOperationException.class);
                  assertThatThrownBy(() -> seen.put("mine", load.snapshot()))
                      .isInstanceOf(UnsupportedOperationException.class);
                  return Shard.named("mine");
                })
            .build();

    router.push(List.of());
    router.push(List.of());

    assertThat(saw).hasSize(1);
    assertThat(saw.get(0).pendingDeliveries()).isEqualTo(12);
    assertThat(saw.get(0).inbound().averageMillis()).hasValue(20.0);
    assertThatThrownBy(() -> router.observations().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aLimitThatIsNotPositiveIsRefused(long limit) {
    assertThatThrownBy(() -> builder(ShardRouterTest::accepted).softBacklogLimit(limit))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("softBacklogLimit cannot be " + limit)
        .hasMessageContaining("a whole number of at least 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1.5", "many", ""})
  void aLimitAsTextThatIsNoPositiveWholeNumberIsRefused(String limit) {
    assertThatThrownBy(
            () -> builder(ShardRouterTest::accepted).properties(Map.of("softBacklogLimit", limit)))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("softBacklogLimit");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "a\nb", "tab\t"})
  void aShardThatCannotBeOneIsRefusedBeforeAnyCall(String name) {
    ShardRouter<Shard, List<String>, String> router =
        builder(ShardRouterTest::accepted)
            .sharding((input, context, seen) -> Shard.named(name))
            .build();

    assertThatThrownBy(() -> router.push(List.of()))
        .isInstanceOf(RoutingException.class)
        .hasMessageStartingWith("WM2301: ");
    assertThat(calls).isEmpty();
  }

  @Test
  void aNameThatIsTooLongIsRefused() {
    assertThat(Shard.named("x".repeat(256)).name()).hasSize(256);
    assertThatThrownBy(() -> Shard.named("x".repeat(257)))
        .hasMessageEndingWith("it is longer than 256 characters");
  }

  @Test
  @SuppressWarnings("NullAway") // what callers do whose code is not checked for null
  void aRuleThatGivesNoShardIsRefusedBeforeAnyCall() {
    ShardRouter<Shard, List<String>, String> router =
        builder(ShardRouterTest::accepted).sharding((input, context, seen) -> null).build();

    assertThatThrownBy(() -> router.push(List.of()))
        .isInstanceOf(RoutingException.class)
        .hasMessageStartingWith("WM2301: the rule gave no shard");
    assertThat(calls).isEmpty();
  }

  @Test
  void whatARuleThrowsIsThrownAsItIsBeforeAnyCall() {
    IllegalStateException unsure = new IllegalStateException("whose is it?");
    ShardRouter<Shard, List<String>, String> router =
        builder(ShardRouterTest::accepted)
            .sharding(
                (input, context, seen) -> {
                  throw unsure;
                })
            .build();

    assertThatThrownBy(() -> router.push(List.of())).isSameAs(unsure);
    assertThat(calls).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(RoutingPolicy.class)
  void ofShardsThatARuleNamesTheOneHeardOfLongestAgoMakesRoom(RoutingPolicy policy) {
    ShardRouter<Shard, List<String>, String> router =
        builder((shard, input) -> Outcome.accepted("", now(1).snapshot()))
            .policy(policy)
            .sharding((input, context, seen) -> Shard.named(input.get(0)))
            .build();
    IntStream.range(0, 1024).forEach(i -> router.push(List.of("s" + i)));
    router.push(List.of("s0")); // heard of again
    assertThat(router.observations()).hasSize(1024);

    router.push(List.of("s1024"));

    assertThat(router.observations())
        .hasSize(1024)
        .containsKeys("s0", "s1024")
        .doesNotContainKey("s1");
  }

  @Test
  void aRuleDecidesAndNoWidthMovesWhateverTheLoad() {
    ShardRouter<Shard, List<String>, String> router =
        builder((shard, input) -> Outcome.accepted("", now(9000).snapshot()))
            .policy(RoutingPolicy.COMPATIBLE)
            .sharding((input, context, seen) -> Shard.named("mine"))
            .build();
    router.push(List.of());
    router.push(List.of());

    assertThat(router.width()).isEqualTo(1);
    assertThat(calls).extracting(Call::shard).containsOnly(Shard.named("mine"));
  }

  @Test
  void aTenantOfATransformDecidesInPlaceOfWhatThePushSays() {
    ShardRouter<Shard, List<String>, String> router =
        builder(ShardRouterTest::accepted)
            .sharding(
                (input, context, seen) -> Shard.named(context.get(Tenant.KEY).orElse("default")))
            .build();

    router.push(List.of());
    router
        .with(Timeout.of(Duration.ofMinutes(1)))
        .with(Tenant.of("acme"))
        .push(List.of(), RoutingContext.of(Tenant.KEY, "other"));

    assertThat(calls).extracting(call -> call.shard.name()).containsExactly("default", "acme");
  }

  @Test
  void oneKeyIsOneShardWhateverTheWidthAndOnEveryProcess() {
    List<String> names = new ArrayList<>();
    for (int process = 0; process < 2; process++) {
      ShardRouter<Shard, List<String>, String> router =
          builder((shard, input) -> Outcome.accepted("", now(5000).snapshot()))
              .picking(p -> p.maxWidth(8))
              .key(input -> input.get(0))
              .build();
      IntStream.range(0, 100).forEach(i -> router.push(List.of("k" + i)));
    }
    calls.forEach(call -> names.add(call.shard.name()));

    assertThat(names.subList(0, 100)).isEqualTo(names.subList(100, 200));
    assertThat(names).hasSize(200).doesNotContain("shard-8").contains("shard-0", "shard-7");
  }

  @Test
  void listedShardsAreAllUsedAndARuleCannotNameAnother() {
    Map<String, Shard> stubs =
        Map.of("a", Shard.named("a"), "b", Shard.named("b"), "c", Shard.named("c"));
    ShardRouter<Shard, List<String>, String> router =
        ShardRouter.builder(Shard.class)
            .shards(stubs)
            .invoke((Shard shard, List<String> input) -> accepted(shard, input))
            .build();
    ShardRouter<Shard, List<String>, String> ruled =
        ShardRouter.builder(Shard.class)
            .shards(stubs)
            .invoke((Shard shard, List<String> input) -> accepted(shard, input))
            .sharding((input, context, seen) -> Shard.named("d"))
            .build();

    assertThat(router.width()).isEqualTo(3);
    assertThat(IntStream.range(0, 100).mapToObj(i -> router.push(List.of())).distinct()).hasSize(3);
    assertThatThrownBy(() -> ruled.push(List.of()))
        .hasMessage("WM2301: \"d\" is none of the 3 shards");
  }

  @Test
  void aStubThatCannotBeHadCountsAsNoCallAndNoFailure() {
    IllegalStateException closed = new IllegalStateException("the connection pool is closed");
    ShardRouter<Shard, List<String>, String> router =
        ShardRouter.builder(Shard.class)
            .shards(
                (Shard shard) -> {
                  throw closed;
                })
            .invoke((Shard shard, List<String> input) -> accepted(shard, input))
            .build();
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> router.push(List.of())).isSameAs(closed);
    }

    assertThat(router.inspect().passedOver()).allMatch(one -> one.reason().startsWith("0 in fl"));
  }

  @Test
  void failuresLeaveAShardOutButCancellationsDoNot() {
    ShardRouter<Shard, List<String>, String> router =
        builder(
                (shard, input) -> {
                  if (shard.name().equals("shard-1")) {
                    throw input.isEmpty()
                        ? new CancellationException()
                        : new IllegalStateException("down");
                  }
                  return accepted(shard, input);
                })
            .picking(p -> p.failureCost(Duration.ZERO))
            .build();
    pushes(router, List.of(), 200);
    assertThat(router.inspect().toString()).doesNotContain("left out");

    pushes(router, List.of("x"), 200);

    assertThat(router.inspect().toString()).contains("shard-1: left out after 5 failures");
  }

  @Test
  void theApplicationSaysWhatSpeaksAgainstAShard() {
    ShardRouter<Shard, List<String>, String> router =
        builder(
                (shard, input) -> {
                  throw new IllegalArgumentException("a bad input is nobody's fault");
                })
            .failure(thrown -> !(thrown instanceof IllegalArgumentException))
            .build();

    pushes(router, List.of(), 50);

    assertThat(router.inspect().toString()).doesNotContain("left out");
  }

  private static void pushes(
      ShardRouter<Shard, List<String>, String> router, List<String> input, int times) {
    for (int i = 0; i < times; i++) {
      try {
        router.push(input);
      } catch (RuntimeException expected) {
        // what the shards throw is this test's own
      }
    }
  }

  @Test
  void whoeverIsToldAndThrowsChangesNoOutcome() {
    ShardRouter<Shard, List<String>, String> router =
        builder(ShardRouterTest::accepted)
            .onRoute(
                event -> {
                  throw new IllegalStateException("a listener");
                })
            .failure(
                thrown -> {
                  throw new IllegalStateException("a test of failures");
                })
            .meters(new ThrowingMeters())
            .build();

    assertThat(router.push(List.of()).isAccepted()).isTrue();
  }

  private static final class ThrowingMeters implements Meters {
    @Override
    public Counter counter(String name, Map<String, String> tags) {
      throw new IllegalStateException("no counter");
    }

    @Override
    public Timer timer(String name, Map<String, String> tags) {
      throw new IllegalStateException("no timer");
    }
  }

  @Test
  void pushesAreTimedByReasonAndOutcome() {
    List<String> timed = new ArrayList<>();
    Meters meters =
        new Meters() {
          @Override
          public Counter counter(String name, Map<String, String> tags) {
            throw new AssertionError("nothing is counted");
          }

          @Override
          public Timer timer(String name, Map<String, String> tags) {
            return nanos -> timed.add(name + " " + tags.get("reason") + " " + tags.get("outcome"));
          }
        };
    ShardRouter<Shard, List<String>, String> router =
        builder(
                (shard, input) -> {
                  if (input.isEmpty()) {
                    throw new IllegalStateException("down");
                  }
                  return input.size() > 1
                      ? Outcome.rejected("TooMany", "one at a time")
                      : accepted(shard, input);
                })
            .meters(meters)
            .build();
    pushes(router, List.of("x"), 1);
    pushes(router, List.of("x", "y"), 1);
    pushes(router, List.of(), 1);

    assertThat(timed)
        .containsExactly(
            "waymark.push auto accepted", "waymark.push auto rejected", "waymark.push auto failed");
  }

  @Test
  void aPreviewOfARuleNeedsAnInput() {
    ShardRouter<Shard, List<String>, String> router =
        builder(ShardRouterTest::accepted)
            .sharding((input, context, seen) -> Shard.named(input.get(0)))
            .build();

    assertThatThrownBy(router::inspect).isInstanceOf(IllegalStateException.class);
    assertThat(router.inspect(List.of("mine"), RoutingContext.EMPTY))
        .hasToString("write -> mine (sharding:mine)");
    assertThat(calls).isEmpty();
  }

  @Test
  void shardsComeFirst() {
    assertThatThrownBy(
            () ->
                ShardRouter.builder(Shard.class)
                    .invoke((Shard shard, List<String> input) -> accepted(shard, input)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("say what the shards are first");
  }
}
