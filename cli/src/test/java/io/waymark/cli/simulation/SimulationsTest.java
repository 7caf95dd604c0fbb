package io.waymark.cli.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bars of the simulations, with fixed seeds: cut short, or in full and with more seeds where
 * {@code -Dwaymark.long=true} asks for it.
 */
class SimulationsTest {
  private static final boolean LONG = Boolean.getBoolean("waymark.long");
  private static final double LENGTH = LONG ? 1 : 0.2;
  private static final int SEEDS = LONG ? 5 : 2;

  static Stream<Long> seeds() {
    return LongStream.rangeClosed(1, SEEDS).boxed();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void twoChoicesKeepTheFullestOfManyMembersLow(long seed) {
    holds(Scenario.BALLS_INTO_BINS, seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void twoChoicesTakeAsLongAsTheFormulaOfTheSupermarketSays(long seed) {
    holds(Scenario.SUPERMARKET, seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onStaleBoardsTwoChoicesAreAsPublishedAndTheDefaultIsNoWorse(long seed) {
    holds(Scenario.STALE_BOARDS, seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void withSlowMembersTheTailIsAFractionOfChances(long seed) {
    holds(Scenario.SLOW_MEMBERS, seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void membersThatFailAtOnceGetNextToNothing(long seed) {
    holds(Scenario.FAILING_MEMBERS, seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aJoiningMemberGetsAGrowingShare(long seed) {
    holds(Scenario.JOINING_MEMBER, seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void oneHotShardWidensNothingAndLoadForAllWidensEnough(long seed) {
    holds(Scenario.HOT_SHARD, seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aChangeOfTheMembersGivesACallerAtMostOneNewMember(long seed) {
    holds(Scenario.SUBSET_CHURN, seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void twoMembersBurstsAndLateClocksAreNoTroubleForTheDefault(long seed) {
    holds(Scenario.SMALL_CASES, seed);
  }

  private static void holds(Scenario scenario, long seed) {
    Chance chance = new Chance(seed).in(scenario.name());

    Findings found = scenario.run(new Course(chance, LENGTH, part -> {}));

    assertThat(found.checks())
        .as("seed %d: %s", seed, found.checks())
        .isNotEmpty()
        .allMatch(Check::held);
  }
}
