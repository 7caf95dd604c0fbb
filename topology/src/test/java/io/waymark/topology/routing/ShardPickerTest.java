package io.waymark.topology.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.waymark.core.LoadSnapshot;
import io.waymark.testing.SettableTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The improved policy, piece by piece; its effect as a whole is simulated elsewhere. */
class ShardPickerTest {
  private static final Duration CALL = Duration.ofMillis(10);

  private final SettableTicker ticker = new SettableTicker(Long.MAX_VALUE - 1_000_000_000);

  private ShardPickerBuilder builder() {
    return ShardPicker.builder()
        .ticker(ticker)
        .random(new SplittableRandom(42))
        .slowStart(Duration.ZERO)
        .clock(
            () -> {
              throw new AssertionError("no wall clock is read");
            });
  }

  private ShardPicker members(String... names) {
    return builder().members(named(names));
  }

  private static List<ShardMember> named(String... names) {
    return List.of(names).stream().map(ShardMember::of).toList();
  }

  /** Keeps the others busy until this shard is picked. */
  private Pick pickOf(ShardPicker picker, String shard) {
    List<Pick> others = new ArrayList<>();
    try {
      for (int i = 0; i < 100_000; i++) {
        Pick pick = picker.pick();
        if (pick.shard().equals(shard)) {
          return pick;
        }
        others.add(pick);
      }
      throw new AssertionError(shard + " is never picked: " + picker.inspect());
    } finally {
      others.forEach(Pick::abandoned);
    }
  }

  private void answers(ShardPicker picker, String shard, Duration after, Loads load) {
    answers(picker, shard, after, load.snapshot());
  }

  private void answers(ShardPicker picker, String shard, Duration after, LoadSnapshot load) {
    Pick pick = pickOf(picker, shard);
    ticker.advance(after);
    pick.answered(load);
  }

  /** How often each is picked if nobody ever answers anything. */
  private static Map<String, Double> shares(ShardPicker picker) {
    int draws = 20_000;
    Map<String, Double> shares = new HashMap<>();
    for (int i = 0; i < draws; i++) {
      Pick pick = picker.pick();
      shares.merge(pick.shard(), 1.0 / draws, Double::sum);
      pick.abandoned();
    }
    return shares;
  }

  @Nested
  class Comparing {
    @Test
    void equalShardsShareEqually() {
      assertThat(shares(members("a", "b", "c", "d")).values())
          .hasSize(4)
          .allSatisfy(share -> assertThat(share).isCloseTo(0.25, within(0.02)));
    }

    @Test
    void callsUnderWayCountUntilTheyEndHoweverTheyEnd() {
      ShardPicker picker = members("a", "b");
      Pick busy = pickOf(picker, "a");
      assertThat(shares(picker)).containsOnlyKeys("b");

      busy.abandoned();

      assertThat(shares(picker)).containsOnlyKeys("a", "b");
    }

    @Test
    void whatEndedOnceCannotEndAgain() {
      ShardPicker picker = members("a", "b");
      Pick first = pickOf(picker, "a");
      Pick second = pickOf(picker, "b");
      first.answered(null);
      first.answered(null);
      first.failed();

      assertThat(shares(picker)).as("a is idle, b is not").containsOnlyKeys("a");
      second.abandoned();
    }

    @Test
    void theTwoAreDistinctSoThatABusierOneOfTwoIsNeverPicked() {
      ShardPicker picker = members("a", "b");
      Map<String, Integer> count = new HashMap<>();
      for (int i = 0; i < 1_000; i++) {
        count.merge(picker.pick().shard(), 1, Integer::sum);
      }

      assertThat(count).containsEntry("a", 500).containsEntry("b", 500);
    }

    @Test
    void callsOfOthersCountHalf() {
      ShardPicker picker = members("a", "b");
      Pick first = pickOf(picker, "a");
      Pick second = pickOf(picker, "b");
      ticker.advance(CALL);
      first.answered(Loads.pending(0).inbound(6).snapshot());
      second.answered(Loads.pending(0).inbound(1).snapshot());
      List<Pick> own = List.of(picker.pick(), picker.pick());
      assertThat(own).extracting(Pick::shard).containsOnly("b");
      assertThat(shares(picker)).as("3 against 2.5").containsOnlyKeys("b");

      Pick more = picker.pick();

      assertThat(more.shard()).isEqualTo("b");
      assertThat(shares(picker)).as("3 against 3.5").containsOnlyKeys("a");
    }

    @Test
    void ownCallsThatAreInWhatTheShardSaysAreCountedOnce() {
      ShardPicker picker = members("a", "b");
      Pick own = pickOf(picker, "a");
      Pick other = pickOf(picker, "b");
      pickOf(picker, "a").answered(Loads.pending(0).inbound(1).snapshot()); // that is our own
      pickOf(picker, "b").answered(Loads.pending(0).inbound(2).snapshot());
      own.abandoned();

      assertThat(shares(picker)).containsOnlyKeys("a");
      other.abandoned();
    }

    @Test
    void aBacklogCountsInPartsOfTheLimit() {
      ShardPicker picker = members("a", "b");
      answers(picker, "a", CALL, Loads.pending(500)); // worth 8 calls
      answers(picker, "b", CALL, Loads.pending(0));
      List<Pick> busy = IntStream.range(0, 7).mapToObj(i -> picker.pick()).toList();
      assertThat(busy).allMatch(pick -> pick.shard().equals("b"));
      assertThat(shares(picker)).containsOnlyKeys("b");

      List<Pick> more = IntStream.range(0, 10).mapToObj(i -> picker.pick()).toList();

      assertThat(more).extracting(Pick::shard).contains("a", "b");
    }

    @Test
    void whoIsNotKnownIsTakenForUsualAndNotForTheBest() {
      ShardPicker picker = members("good", "bad", "new");
      answers(picker, "good", CALL, Loads.pending(0));
      answers(picker, "bad", CALL, Loads.pending(1000));
      ticker.advance(Duration.ofMillis(3)); // what is usual is worked out anew

      Map<String, Double> shares = shares(picker);

      assertThat(shares).containsOnlyKeys("good", "new");
      assertThat(shares.get("good")).as("wins both of its pairs").isCloseTo(0.667, within(0.02));
    }

    @Test
    void manyCallsWithoutAnAverageAreNoIdleShard() {
      ShardPicker picker = members("hangs", "works");
      answers(picker, "hangs", CALL, Loads.pending(0).inbound(500));
      answers(picker, "works", CALL, Loads.pending(0).inbound(1, 1));

      assertThat(shares(picker)).containsOnlyKeys("works");
    }

    @Test
    void amongEqualsTheFasterIsPreferredAndTheSlowIsStillTried() {
      ShardPicker picker = members("fast", "slow");
      for (int i = 0; i < 20; i++) {
        answers(picker, "fast", Duration.ofMillis(1), Loads.pending(0));
        answers(picker, "slow", Duration.ofMillis(8), Loads.pending(0));
      }
      ticker.advance(Duration.ofMillis(2));

      double slow = shares(picker).getOrDefault("slow", 0.0);

      assertThat(slow).isBetween(0.02, 0.2);
    }
  }

  @Nested
  class Believing {
    @Test
    void callsOfOthersAreBelievedForTwoUsualCalls() {
      ShardPicker picker = members("a", "b");
      answers(picker, "a", CALL, Loads.pending(0).inbound(5));
      answers(picker, "b", CALL, Loads.pending(0).inbound(1));
      ticker.advance(CALL.dividedBy(2));
      assertThat(shares(picker)).containsOnlyKeys("b");

      ticker.advance(CALL.multipliedBy(2));

      assertThat(shares(picker).get("a")).isCloseTo(0.5, within(0.02));
    }

    @Test
    void aBacklogIsBelievedForTheWindow() {
      ShardPicker picker = members("a", "b");
      answers(picker, "a", CALL, Loads.pending(5000));
      answers(picker, "b", CALL, Loads.pending(0));
      ticker.advance(Duration.ofSeconds(50));
      assertThat(shares(picker)).containsOnlyKeys("b");
      assertThat(picker.observations()).containsOnlyKeys("a", "b");

      ticker.advance(Duration.ofSeconds(10));

      assertThat(shares(picker).get("a")).isCloseTo(0.5, within(0.02));
      assertThat(picker.observations()).isEmpty();
    }

    @Test
    void theNumberAndNotTheClockSaysWhatIsNewer() {
      ShardPicker picker = members("a");
      answers(picker, "a", CALL, Loads.pending(7).of("one", 5).at(1_000_000));

      answers(picker, "a", CALL, Loads.pending(8).of("one", 6).at(0)); // its clock went back
      assertThat(pendingOf(picker)).isEqualTo(8);

      answers(picker, "a", CALL, Loads.pending(9).of("one", 6).at(2_000_000));
      assertThat(pendingOf(picker)).as("the same number is no news").isEqualTo(8);
    }

    @Test
    void aRestartedShardStartsOverAndItsFormerLifeIsOver() {
      ShardPicker picker = members("a");
      answers(picker, "a", CALL, Loads.pending(7).of("one", 500));

      answers(picker, "a", CALL, Loads.pending(1).of("two", 0));
      assertThat(pendingOf(picker)).isEqualTo(1);

      answers(picker, "a", CALL, Loads.pending(7).of("one", 501)); // arrives late
      assertThat(pendingOf(picker)).isEqualTo(1);
    }

    @Test
    void loadsWithoutNumbersCountInTheOrderOfArrival() {
      ShardPicker picker = members("a");
      answers(picker, "a", CALL, Loads.pending(7));
      answers(picker, "a", CALL, Loads.pending(8));

      assertThat(pendingOf(picker)).isEqualTo(8);
    }

    private long pendingOf(ShardPicker picker) {
      LoadSnapshot load = picker.observations().get("a");
      return load == null ? -1 : load.pendingDeliveries();
    }
  }

  @Nested
  class Ejecting {
    private final List<RoutingChange> changes = new ArrayList<>();

    private ShardPicker failing(int shards, double most, int failing) {
      ShardPicker picker =
          builder()
              .maxEjected(most)
              .failureCost(Duration.ZERO)
              .onChange(changes::add)
              .members(IntStream.range(0, shards).mapToObj(i -> ShardMember.of("s" + i)).toList());
      for (int round = 0; round < 5; round++) {
        for (int i = 0; i < failing; i++) {
          pickOf(picker, "s" + i).failed();
        }
      }
      return picker;
    }

    @ParameterizedTest(name = "of {0} at most {1}: {2}")
    @CsvSource({
      "1, 0.1, 0", "1, 0.5, 0", "1, 1, 0",
      "2, 0.1, 0", "2, 0.5, 1", "2, 1, 1",
      "3, 0.1, 0", "3, 0.5, 1", "3, 1, 2",
      "10, 0.1, 1", "10, 0.5, 5", "10, 1, 9",
      "30, 0.1, 3",
    })
    void asManyAsTheShareRoundedDownAndNeverTheLastAreLeftOut(int n, double most, int out) {
      ShardPicker picker = failing(n, most, n);

      assertThat(shares(picker)).hasSize(n - out);
      assertThat(changes).hasSize(out).allMatch(RoutingChange.Ejected.class::isInstance);
    }

    @Test
    void fourFailuresInARowLeaveNobodyOutAndASuccessStartsTheCountAnew() {
      ShardPicker picker = members("a", "b");
      for (int i = 0; i < 40; i++) {
        Pick pick = pickOf(picker, "a");
        if (i % 5 == 4) {
          pick.answered(null);
        } else {
          pick.failed();
        }
        ticker.advance(Duration.ofMinutes(1));
      }

      assertThat(shares(picker)).containsOnlyKeys("a", "b");
    }

    @Test
    void aRejectionIsNoFailure() {
      ShardPicker picker = members("a", "b");
      for (int i = 0; i < 10; i++) {
        pickOf(picker, "a").answered(null);
      }

      assertThat(shares(picker)).containsOnlyKeys("a", "b");
    }

    @Test
    void oneCallTriesWhoWasLeftOutAndLetsItReturn() {
      ShardPicker picker = failing(2, 0.5, 1);
      assertThat(shares(picker)).containsOnlyKeys("s1");
      assertThat(picker.inspect().passedOver().get(0).reason())
          .startsWith("left out after 5 failures, to be tried in ");
      ticker.advance(Duration.ofMillis(2_300));

      Pick trial = picker.pick();

      assertThat(trial.shard()).isEqualTo("s0");
      assertThat(trial.reason()).isEqualTo(RoutingReason.TRIAL);
      assertThat(picker.inspect().passedOver().get(0).reason()).endsWith("being tried");
      assertThat(shares(picker)).as("one call tries, not all").containsOnlyKeys("s1");
      trial.answered(null);
      assertThat(shares(picker)).containsOnlyKeys("s0", "s1");
      assertThat(changes)
          .containsExactly(new RoutingChange.Ejected("s0", 5), new RoutingChange.Returned("s0"));
    }

    @Test
    void aTrialThatFailsPutsTheNextOneOff() {
      ShardPicker picker = failing(2, 0.5, 1);
      ticker.advance(Duration.ofMillis(2_300));
      pickOf(picker, "s0").failed();

      ticker.advance(Duration.ofMillis(3_500));
      assertThat(shares(picker)).containsOnlyKeys("s1");
      ticker.advance(Duration.ofSeconds(1));

      assertThat(picker.pick().reason()).isEqualTo(RoutingReason.TRIAL);
    }

    @Test
    void aTrialThatWasAbandonedLeavesThePlaceToTheNext() {
      ShardPicker picker = failing(2, 0.5, 1);
      ticker.advance(Duration.ofMillis(2_300));
      pickOf(picker, "s0").abandoned();

      assertThat(picker.pick().reason()).isEqualTo(RoutingReason.TRIAL);
    }

    @Test
    void whoReturnsStartsSlowly() {
      ShardPicker picker =
          builder()
              .slowStart(Duration.ofSeconds(10))
              .failureCost(Duration.ZERO)
              .members(named("a", "b", "c", "d"));
      for (String each : List.of("a", "b", "c", "d")) {
        answers(picker, each, CALL, Loads.pending(0));
      }
      ticker.advance(Duration.ofSeconds(11));
      for (int i = 0; i < 5; i++) {
        pickOf(picker, "a").failed();
      }
      ticker.advance(Duration.ofSeconds(10));
      picker.pick().answered(null); // the trial
      ticker.advance(Duration.ofMillis(500));

      assertThat(shares(picker).get("a")).isLessThan(0.1);
      ticker.advance(Duration.ofSeconds(10));
      assertThat(shares(picker).get("a")).isCloseTo(0.25, within(0.02));
    }

    @Test
    void aProbeTriesInsteadOfSomebodysCall() {
      List<String> asked = new ArrayList<>();
      CompletableFuture<LoadSnapshot> answer = new CompletableFuture<>();
      ShardPicker picker =
          builder()
              .failureCost(Duration.ZERO)
              .probe(
                  shard -> {
                    asked.add(shard);
                    return shard.equals("a") ? answer : new CompletableFuture<>();
                  })
              .members(named("a", "b"));
      for (int i = 0; i < 5; i++) {
        pickOf(picker, "a").failed();
      }
      ticker.advance(Duration.ofMillis(2_300));
      asked.clear();

      assertThat(shares(picker)).containsOnlyKeys("b");
      assertThat(asked).containsOnlyOnce("a");
      answer.complete(Loads.pending(0).snapshot());

      assertThat(shares(picker)).containsOnlyKeys("a", "b");
      assertThat(picker.observations()).containsKey("a");
    }
  }

  @Nested
  class Probing {
    @Test
    void twoCandidatesAreAskedWithEachPickAndEachOnceAtATime() {
      Map<String, CompletableFuture<LoadSnapshot>> asked = new HashMap<>();
      ShardPicker picker =
          builder()
              .probe(
                  shard -> {
                    CompletableFuture<LoadSnapshot> answer = new CompletableFuture<>();
                    assertThat(asked.put(shard, answer)).isNull();
                    return answer;
                  })
              .members(named("a", "b", "c"));
      shares(picker);
      assertThat(asked).containsOnlyKeys("a", "b", "c");

      Objects.requireNonNull(asked.get("a")).complete(Loads.pending(0).inbound(9).snapshot());
      Objects.requireNonNull(asked.get("b")).complete(Loads.pending(0).inbound(1).snapshot());
      Objects.requireNonNull(asked.get("c"))
          .completeExceptionally(new IllegalStateException("no answer"));
      asked.clear();

      assertThat(picker.observations()).containsOnlyKeys("a", "b");
      assertThat(shares(picker)).doesNotContainKey("a");
    }

    @Test
    void aProbeThatThrowsHurtsNobody() {
      ShardPicker picker =
          builder()
              .probe(
                  shard -> {
                    throw new IllegalStateException("cannot ask");
                  })
              .members(named("a", "b"));

      assertThat(shares(picker)).containsOnlyKeys("a", "b");
    }
  }

  @Nested
  class Widths {
    private final List<RoutingChange> changes = new ArrayList<>();
    private final ShardPicker picker = builder().maxWidth(4).onChange(changes::add).numbered();

    private void allSay(long... pending) {
      for (int i = 0; i < pending.length; i++) {
        answers(picker, "shard-" + i, Duration.ofMillis(1), Loads.pending(pending[i]));
      }
      settles();
    }

    /** What was heard is worked out by a pick, at least a millisecond later. */
    private void settles() {
      ticker.advance(Duration.ofMillis(5));
      picker.pick().abandoned();
    }

    @Test
    void startsWithTwoAndNamesThemByNumber() {
      assertThat(picker.width()).isEqualTo(2);
      assertThat(shares(picker)).containsOnlyKeys("shard-0", "shard-1");
    }

    @Test
    void growsWhileAllTogetherAreAboveTheLimitUpToTheMost() {
      allSay(1500, 1500);
      assertThat(picker.width()).isEqualTo(3);
      for (int i = 0; i < 5; i++) {
        ticker.advance(Duration.ofSeconds(1));
        settles();
      }

      assertThat(picker.width()).isEqualTo(4);
      assertThat(changes)
          .containsExactly(new RoutingChange.Resized(2, 3), new RoutingChange.Resized(3, 4));
    }

    @Test
    void oneHotShardWidensNothing() {
      for (int i = 0; i < 10; i++) {
        allSay(100_000, 0);
      }

      assertThat(picker.width()).isEqualTo(2);
    }

    @Test
    void oneHotShardWidensNothingThoughSomeWaitAtTheOther() {
      for (int i = 0; i < 10; i++) {
        allSay(100_000, 400);
      }

      assertThat(picker.width()).isEqualTo(2);
    }

    @Test
    void oneHotShardKeepsNoWidth() {
      ShardPicker four = builder().startWidth(4).numbered();
      ticker.advance(Duration.ofSeconds(60));

      answers(four, "shard-0", Duration.ofMillis(1), Loads.pending(100_000));
      for (int i = 1; i < 4; i++) {
        answers(four, "shard-" + i, Duration.ofMillis(1), Loads.pending(0));
      }
      ticker.advance(Duration.ofMillis(5));
      shares(four); // of many picks only some look at the clock

      assertThat(four.width()).isEqualTo(3);
    }

    @Test
    void growsByOneInASecond() {
      allSay(1500, 1500);
      ticker.advance(Duration.ofMillis(980));
      settles();
      assertThat(picker.width()).isEqualTo(3);

      ticker.advance(Duration.ofMillis(20));
      settles();

      assertThat(picker.width()).isEqualTo(4);
    }

    @Test
    void movesNotUnlessMoreThanHalfAreKnown() {
      ShardPicker wide = builder().startWidth(4).numbered();
      answers(wide, "shard-2", Duration.ofMillis(1), Loads.pending(1_000_000));
      answers(wide, "shard-3", Duration.ofMillis(1), Loads.pending(1_000_000));
      ticker.advance(Duration.ofSeconds(1));
      wide.pick().abandoned();

      assertThat(wide.width()).isEqualTo(4);
    }

    @Test
    void shrinksAfterAMinuteOfQuietWhenTheLastIsEmpty() {
      allSay(1500, 1500);
      assertThat(picker.width()).isEqualTo(3);
      allSay(0, 0, 0);
      ticker.advance(Duration.ofSeconds(59));
      allSay(0, 0, 0);
      assertThat(picker.width()).as("59 seconds later").isEqualTo(3);
      allSay(0, 0, 1);
      ticker.advance(Duration.ofSeconds(1));

      allSay(0, 0, 1);
      assertThat(picker.width()).as("something waits at the last").isEqualTo(3);
      allSay(900, 0, 0);
      assertThat(picker.width()).as("more than a quarter of the limit").isEqualTo(3);
      answers(picker, "shard-0", Duration.ofMillis(1), Loads.pending(0));
      settles();
      assertThat(picker.width()).isEqualTo(2);
      assertThat(shares(picker)).doesNotContainKey("shard-2");

      allSay(0, 0);
      assertThat(picker.width()).as("a minute between two changes").isEqualTo(2);
    }

    @Test
    void aCallUnderWayAtTheLastKeepsIt() {
      ticker.advance(Duration.ofSeconds(60));
      Pick underWay = pickOf(picker, "shard-1");
      answers(picker, "shard-0", Duration.ofMillis(1), Loads.pending(0));
      List<Pick> filling = new ArrayList<>();
      filling.add(pickOf(picker, "shard-0"));
      filling.add(pickOf(picker, "shard-0"));
      answers(picker, "shard-1", Duration.ofMillis(1), Loads.pending(0));
      filling.forEach(Pick::abandoned);
      ticker.advance(Duration.ofSeconds(1));
      picker.pick().abandoned();
      assertThat(picker.width()).isEqualTo(2);

      underWay.answered(Loads.pending(0).snapshot());
      ticker.advance(Duration.ofSeconds(1));
      picker.pick().abandoned();

      assertThat(picker.width()).isEqualTo(1);
    }

    @Test
    void numberedShardsHaveNoMembers() {
      assertThatThrownBy(() -> picker.members(List.of()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("their width does it");
    }
  }

  @Nested
  class Members {
    @Test
    void withoutMembersThereIsNoPick() {
      ShardPicker picker = members();

      assertThatThrownBy(picker::pick)
          .isInstanceOf(RoutingException.class)
          .hasMessageStartingWith("WM2302: ")
          .extracting("error")
          .isEqualTo(RoutingError.NO_SHARD);
      assertThat(picker.inspect().endpoint()).isEmpty();
    }

    @Test
    void whoStaysKeepsWhatIsKnownAndWhoComesBackStartsAnew() {
      ShardPicker picker = members("a", "b");
      Pick busy = pickOf(picker, "a");
      picker.members(named("a", "c"));
      assertThat(shares(picker)).containsOnlyKeys("c");

      picker.members(named("c"));
      picker.members(named("a", "c"));

      assertThat(shares(picker)).containsOnlyKeys("a", "c");
      busy.answered(null); // its shard is gone; nobody minds
      assertThat(shares(picker)).containsOnlyKeys("a", "c");
    }

    @Test
    void twoOfOneNameAreRefused() {
      ShardPicker picker = members("a");

      assertThatThrownBy(() -> picker.members(named("b", "b")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("two members are named b");
      assertThat(shares(picker)).containsOnlyKeys("a");
    }

    @Test
    void weightsShareWhatIsIdle() {
      ShardPicker picker =
          builder().members(List.of(new ShardMember("a", 1), new ShardMember("b", 3)));
      assertThat(shares(picker).get("b")).isCloseTo(0.75, within(0.04));

      picker.members(List.of(new ShardMember("a", 2), new ShardMember("b", 2)));
      assertThat(shares(picker).get("b")).isCloseTo(0.5, within(0.02));
    }

    @Test
    void aNewOneStartsSlowlyAndOnlyFromItsFirstSuccessOn() {
      ShardPicker picker =
          builder().slowStart(Duration.ofSeconds(10)).members(named("a", "b", "c"));
      for (String each : List.of("a", "b", "c")) {
        answers(picker, each, CALL, Loads.pending(0));
      }
      ticker.advance(Duration.ofSeconds(11));
      picker.members(named("a", "b", "c", "d"));

      ticker.advance(Duration.ofHours(1));
      assertThat(shares(picker).get("d")).as("it has not served yet").isLessThan(0.08);
      answers(picker, "d", CALL, Loads.pending(0));
      ticker.advance(Duration.ofSeconds(5));
      assertThat(shares(picker).get("d")).isBetween(0.1, 0.2);
      ticker.advance(Duration.ofSeconds(5));
      assertThat(shares(picker).get("d")).isCloseTo(0.25, within(0.02));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSubsetChangesByAtMostOneWithEachMember(boolean numbered) {
      SplittableRandom random = new SplittableRandom(7);
      List<ShardMember> all =
          new ArrayList<>(IntStream.range(0, 20).mapToObj(i -> ShardMember.of("m" + i)).toList());
      ShardPicker picker =
          (numbered ? builder().clientNumber(3) : builder().client("client-3"))
              .subset(5)
              .members(all);
      Set<String> before = shares(picker).keySet();
      assertThat(before).hasSize(5);
      int next = 20;
      for (int turn = 0; turn < 60; turn++) {
        if (random.nextBoolean()) {
          all.remove(random.nextInt(all.size()));
        } else {
          all.add(ShardMember.of("m" + next++));
        }
        picker.members(all);
        Set<String> after = shares(picker).keySet();
        Set<String> arrived = new HashSet<>(after);
        arrived.removeAll(before);
        assertThat(after).hasSize(5);
        assertThat(arrived).hasSizeLessThanOrEqualTo(1);
        before = after;
      }
    }

    @Test
    void subsetsByNumberSpreadFewClientsEvenly() {
      String[] names = IntStream.range(0, 16).mapToObj(i -> "m" + i).toArray(String[]::new);
      Map<String, Integer> users = new HashMap<>();
      for (int number = 0; number < 4; number++) {
        ShardPicker picker = builder().subset(8).clientNumber(number).members(named(names));
        shares(picker).keySet().forEach(each -> users.merge(each, 1, Integer::sum));
      }

      assertThat(users).hasSize(16);
      assertThat(users.values()).containsOnly(2);
    }

    @Test
    void aSubsetIsTheClientsOwnAndLastsThroughARestart() {
      String[] names = IntStream.range(0, 50).mapToObj(i -> "m" + i).toArray(String[]::new);

      Set<String> one = shares(builder().subset(5).client("one").members(named(names))).keySet();
      Set<String> again = shares(builder().subset(5).client("one").members(named(names))).keySet();
      Set<String> other = shares(builder().subset(5).client("two").members(named(names))).keySet();

      assertThat(again).isEqualTo(one);
      assertThat(other).isNotEqualTo(one);
    }
  }

  @Test
  void aPreviewSaysWhatIsKnownAndDrawsNothing() {
    ShardPicker picker = members("a", "b");
    answers(picker, "a", Duration.ofMillis(10), Loads.pending(500));
    answers(picker, "b", Duration.ofMillis(10), Loads.pending(0));

    assertThat(picker.inspect().endpoint()).contains("b");
    assertThat(picker.inspect().reason()).isEqualTo("auto:b");
    assertThat(picker.inspect().passedOver().get(0))
        .hasToString("a: 0 in flight, backlog 500, cost 8.05");
  }
}
