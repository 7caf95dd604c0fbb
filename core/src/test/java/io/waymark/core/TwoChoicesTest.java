package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TwoChoicesTest {
  private static final int DRAWS = 100_000;

  private final AtomicLong ticker = new AtomicLong();

  @Test
  void theLowerCostOfTheTwoWins() {
    List<Node> nodes = Node.alike(ticker, 2);
    nodes.get(0).vitals().started();

    double[] shares = shares(Selectors.twoChoices(TwoChoicesTest::inFlight), Candidates.all(nodes));

    assertThat(shares[0]).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16, 65, 100})
  void equalOnesAreTakenEquallyOften(int size) {
    Candidates<Node> all = Candidates.all(Node.alike(ticker, size));

    Selector<Node> selector = Selectors.twoChoices(node -> 1, new SplittableRandom(7));

    for (double share : shares(selector, all)) {
      assertThat(share * size).isBetween(0.8, 1.2);
    }
  }

  @Test
  void theTwoAreDistinctSoThatTheWorstOfAllNeverServes() {
    List<Node> nodes = Node.alike(ticker, 16);
    IntStream.range(0, 16).forEach(i -> IntStream.range(0, i).forEach(n -> start(nodes, i)));

    double[] shares = shares(Selectors.twoChoices(TwoChoicesTest::inFlight), Candidates.all(nodes));

    assertThat(shares[15]).isZero();
    assertThat(shares[0]).as("it is in an eighth of the pairs").isCloseTo(0.125, within(0.01));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#few")
  void onlyThoseThatTakePartAreDrawnEachEquallyLikely(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = Node.alike(ticker, 10);
    long mask = random.nextLong(1, 1 << 10);
    Candidates<Node> some = Candidates.masked(nodes, mask);

    double[] shares = shares(Selectors.twoChoices(node -> 0, random), some);

    for (int i = 0; i < 10; i++) {
      double expected = some.has(i) ? 1.0 / some.count() : 0;
      assertThat(shares[i]).as("member %d, seed %d", i, seed).isCloseTo(expected, within(0.015));
    }
  }

  /** Stork 1121: a counter that overflowed gave an index of -5. */
  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1, Long.MAX_VALUE, Long.MAX_VALUE - 2, Long.MIN_VALUE})
  void whateverIsDrawnIsWithinBounds(long drawn) {
    for (int size : new int[] {1, 2, 3, 64, 65, 10_000}) {
      Candidates<Node> all = Candidates.all(Node.alike(ticker, size));

      assertThat(Selectors.twoChoices(TwoChoicesTest::inFlight, () -> drawn).select(all))
          .isBetween(0, size - 1);
    }
  }

  @Test
  void idleMembersShareAsTheirWeightsSay() {
    List<Node> nodes = Node.weighing(ticker, 1, 3);

    double[] shares = shares(Selectors.twoChoices(TwoChoicesTest::inFlight), Candidates.all(nodes));

    assertThat(shares[1]).isCloseTo(0.75, within(0.01));
  }

  @Test
  void underLoadCostsAreComparedByWeight() {
    List<Node> nodes = Node.weighing(ticker, 1, 3);
    IntStream.range(0, 20).forEach(i -> start(nodes, 0));
    IntStream.range(0, 30).forEach(i -> start(nodes, 1)); // 20 by weight against 10

    double[] shares = shares(Selectors.twoChoices(TwoChoicesTest::inFlight), Candidates.all(nodes));

    assertThat(shares[1]).isGreaterThan(0.99);
  }

  @Test
  void slowStartIsFeltInTheComparison() {
    List<Node> nodes = Node.alike(ticker, 2);
    reopen(nodes.get(1));
    Selector<Node> selector = Selectors.twoChoices(TwoChoicesTest::inFlight);

    double atFirst = shares(selector, Candidates.all(nodes))[1];
    ticker.addAndGet(Duration.ofSeconds(5).toNanos());
    double halfWay = shares(selector, Candidates.all(nodes))[1];
    ticker.addAndGet(Duration.ofSeconds(5).toNanos());
    double afterwards = shares(selector, Candidates.all(nodes))[1];

    assertThat(atFirst).as("a tenth of the half").isCloseTo(0.05, within(0.01));
    assertThat(halfWay).isCloseTo(0.25, within(0.01));
    assertThat(afterwards).isCloseTo(0.5, within(0.01));
  }

  @Test
  void slowStartNeitherFloodsNorStarves() {
    List<Node> nodes = Node.alike(ticker, 2);
    reopen(nodes.get(1));
    Selector<Node> selector = Selectors.twoChoices(TwoChoicesTest::inFlight);
    IntStream.range(0, 50).forEach(i -> start(nodes, 0));

    assertThat(shares(selector, Candidates.all(nodes))[1])
        .as("idle, and the other is busy")
        .isCloseTo(0.1, within(0.01));
    IntStream.range(0, 50).forEach(i -> start(nodes, 1));
    assertThat(shares(selector, Candidates.all(nodes))[1])
        .as("as busy as the other")
        .isCloseTo(0.05, within(0.01));
  }

  @Test
  void whereAllAreInSlowStartTheCostsDecide() {
    List<Node> nodes = Node.alike(ticker, 2);
    nodes.forEach(TwoChoicesTest::reopen);
    start(nodes, 0);

    double[] shares = shares(Selectors.twoChoices(TwoChoicesTest::inFlight), Candidates.all(nodes));

    assertThat(shares[0]).isZero();
  }

  private static void reopen(Node node) {
    node.vitals().circuit().trialFailed();
    node.vitals().circuit().trialFailed();
    node.vitals().circuit().trialSucceeded();
  }

  @Test
  void aPreviewIsTheLikeliestAndDrawsNothing() {
    List<Node> nodes = Node.weighing(ticker, 1, 1, 2);
    start(nodes, 0);
    RandomGenerator nothing =
        () -> {
          throw new AssertionError("a preview draws nothing");
        };
    Selector<Node> selector = Selectors.twoChoices(TwoChoicesTest::inFlight, nothing);

    assertThat(selector.peek(Candidates.all(nodes))).isEqualTo(2);
    assertThat(selector.peek(Candidates.masked(nodes, 0b011))).isEqualTo(1);
  }

  /**
   * Balls into bins: with two choices the fullest of n bins holds ln ln n / ln 2 + O(1) balls, with
   * one ln n / ln ln n (Azar, Broder, Karlin, Upfal: Balanced Allocations, 1999).
   */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#few")
  void aThousandBallsInAThousandBinsAreAtMostFourInOne(long seed) {
    List<Node> bins = Node.alike(ticker, 1_000);
    Candidates<Node> all = Candidates.all(bins);
    Selector<Node> selector =
        Selectors.twoChoices(TwoChoicesTest::inFlight, new SplittableRandom(seed));

    IntStream.range(0, 1_000).forEach(ball -> start(bins, selector.select(all)));

    assertThat(bins).as("seed %d", seed).allMatch(bin -> bin.vitals().inFlight() <= 4);
  }

  /**
   * The supermarket model: n queues, Poisson arrivals of λ·n, exponential service of mean 1. The
   * mean time in the system is the sum over i of λ^(2^i - 2) (Mitzenmacher 1996). The runs are
   * short, so that 4 % are allowed; the simulation of the command line holds it to 2 %.
   */
  @ParameterizedTest(name = "λ {0}: {1}")
  @CsvSource({"0.5, 1.2657", "0.7, 1.6145", "0.9, 2.6141"})
  void theSupermarketFormulaHolds(double lambda, double formula) {
    double mean =
        LongStream.of(1, 2, 3)
            .mapToDouble(seed -> meanTimeInSystem(lambda, new SplittableRandom(seed)))
            .average()
            .orElseThrow();

    assertThat(mean).isCloseTo(formula, within(0.04 * formula));
  }

  /** By Little's law: the average number in the system by the rate of arrivals. */
  private double meanTimeInSystem(double lambda, SplittableRandom random) {
    int n = 300;
    List<Node> queues = Node.alike(ticker, n);
    Candidates<Node> all = Candidates.all(queues);
    Selector<Node> selector = Selectors.twoChoices(TwoChoicesTest::inFlight, random.split());
    PriorityQueue<double[]> departures = new PriorityQueue<>((a, b) -> Double.compare(a[0], b[0]));
    double now = 0;
    double area = 0;
    double warmUp = 60;
    double end = 260;
    int inSystem = 0;
    double arrival = random.nextExponential() / (lambda * n);
    while (now < end) {
      double[] departure = departures.peek();
      double next = departure == null ? arrival : Math.min(arrival, departure[0]);
      area += now < warmUp ? 0 : inSystem * (next - now);
      now = next;
      if (departure != null && next == departure[0]) {
        departures.poll();
        inSystem--;
        Vitals vitals = queues.get((int) departure[1]).vitals();
        vitals.finished();
        if (vitals.inFlight() > 0) {
          departures.add(new double[] {now + random.nextExponential(), departure[1]});
        }
      } else {
        int queue = selector.select(all);
        inSystem++;
        start(queues, queue);
        if (queues.get(queue).vitals().inFlight() == 1) {
          departures.add(new double[] {now + random.nextExponential(), queue});
        }
        arrival = now + random.nextExponential() / (lambda * n);
      }
    }
    return area / (now - warmUp) / (lambda * n);
  }

  private static double inFlight(Node node) {
    return node.vitals().inFlight();
  }

  private static void start(List<Node> nodes, int index) {
    nodes.get(index).vitals().started();
  }

  private static double[] shares(Selector<Node> selector, Candidates<Node> candidates) {
    double[] shares = new double[candidates.end()];
    for (int i = 0; i < DRAWS; i++) {
      shares[selector.select(candidates)] += 1.0 / DRAWS;
    }
    return shares;
  }
}
