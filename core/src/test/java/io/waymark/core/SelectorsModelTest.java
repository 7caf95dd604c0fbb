package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every selector, beside a slow and obvious model of it, while members come and go. */
class SelectorsModelTest {
  private static final int TURNS = 300;

  private final AtomicLong ticker = new AtomicLong();

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#many")
  void weightedIsTheModel(long seed) {
    compare(seed, Selectors.weighted(), new WeightedModel());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#many")
  void roundRobinIsTheModel(long seed) {
    compare(seed, Selectors.roundRobin(), new RoundRobinModel());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#many")
  void fewestInFlightIsTheModel(long seed) {
    compare(seed, Selectors.fewestInFlight(), SelectorsModelTest::fewestInFlight);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#many")
  void lowestLatencyIsTheModel(long seed) {
    compare(seed, Selectors.lowestLatency(), SelectorsModelTest::lowestLatency);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#few")
  void weightedGivesWholeRoundsTheirWeights(long seed) {
    Random random = new Random(seed);
    List<Node> nodes = Node.many(ticker, 1 + random.nextInt(100), i -> 1 + random.nextInt(9));
    int round = (int) nodes.stream().mapToDouble(Node::weight).sum();
    Selector<Node> selector = Selectors.weighted();
    Map<Node, Double> picks = new HashMap<>();

    for (int turn = 0; turn < round; turn++) {
      picks.merge(nodes.get(selector.select(Candidates.all(nodes))), 1.0, Double::sum);
    }

    for (Node node : nodes) {
      assertThat(picks).as("seed %d", seed).containsEntry(node, node.weight());
    }
  }

  private void compare(long seed, Selector<Node> selector, Function<List<Node>, Node> model) {
    Random random = new Random(seed);
    int size = random.nextInt(20) == 0 ? 1_000 : 1 + random.nextInt(90);
    // Multiples of an eighth, so that the order of additions does not matter.
    List<Node> nodes = Node.many(ticker, size, i -> (1 + random.nextInt(32)) / 8.0);
    Set<Node> absent = new HashSet<>();
    for (int turn = 0; turn < TURNS; turn++) {
      if (random.nextInt(4) == 0) {
        flip(absent, nodes.get(random.nextInt(size)));
      }
      live(random, nodes.get(random.nextInt(size)).vitals());
      List<Node> present = new ArrayList<>(nodes);
      present.removeAll(absent);
      if (present.isEmpty()) {
        absent.clear();
        present = nodes;
      }
      Candidates<Node> candidates = candidates(random, nodes, present);
      int peeked = -1;
      for (int i = random.nextInt(3); i >= 0; i--) {
        peeked = selector.peek(candidates);
      }

      int selected = selector.select(candidates);

      assertThat(candidates.get(selected))
          .as("seed %d, turn %d", seed, turn)
          .isEqualTo(model.apply(present));
      assertThat(peeked).as("peek, seed %d, turn %d", seed, turn).isEqualTo(selected);
      assertThat(candidates.has(selected)).isTrue();
    }
  }

  /** The same members, as bits where that is possible or as a list of their own. */
  private static Candidates<Node> candidates(Random random, List<Node> nodes, List<Node> present) {
    if (nodes.size() > Candidates.MASKED || random.nextBoolean()) {
      return Candidates.all(present);
    }
    long mask = 0;
    for (Node node : present) {
      mask |= 1L << node.ordinal();
    }
    return Candidates.masked(nodes, mask);
  }

  private static void flip(Set<Node> absent, Node node) {
    if (!absent.remove(node)) {
      absent.add(node);
    }
  }

  private static void live(Random random, Vitals vitals) {
    if (random.nextBoolean()) {
      vitals.latency(random.nextInt(4));
    }
    if (random.nextBoolean()) {
      vitals.started();
    } else if (vitals.inFlight() > 0) {
      vitals.finished();
    }
  }

  private static Node fewestInFlight(List<Node> present) {
    int fewest = present.stream().mapToInt(node -> node.vitals().inFlight()).min().orElseThrow();
    return present.stream()
        .filter(node -> node.vitals().inFlight() == fewest)
        .findFirst()
        .orElseThrow();
  }

  private static Node lowestLatency(List<Node> present) {
    List<Node> sampled =
        present.stream().filter(node -> node.vitals().latency().isPresent()).toList();
    if (sampled.isEmpty()) {
      return present.get(0);
    }
    double lowest =
        sampled.stream().mapToDouble(node -> node.vitals().latencyNanos()).min().orElseThrow();
    return sampled.stream()
        .filter(node -> node.vitals().latencyNanos() == lowest)
        .findFirst()
        .orElseThrow();
  }

  private static final class WeightedModel implements Function<List<Node>, Node> {
    private final Map<Node, Double> running = new HashMap<>();

    @Override
    public Node apply(List<Node> present) {
      running.keySet().retainAll(present);
      double total = 0;
      for (Node node : present) {
        running.merge(node, node.weight(), Double::sum);
        total += node.weight();
      }
      Node winner = present.get(0);
      for (Node node : present) {
        winner = runningOf(node) > runningOf(winner) ? node : winner;
      }
      running.merge(winner, -total, Double::sum);
      return winner;
    }

    private double runningOf(Node node) {
      return running.getOrDefault(node, 0.0);
    }
  }

  private static final class RoundRobinModel implements Function<List<Node>, Node> {
    private @Nullable Node last;

    @Override
    public Node apply(List<Node> present) {
      Node previous = last;
      Node next =
          present.stream()
              .filter(node -> previous != null && node.ordinal() > previous.ordinal())
              .findFirst()
              .orElse(present.get(0));
      last = next;
      return next;
    }
  }
}
