package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.Rule.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The decider beside a slow and obvious model, with random rules over few and many members. */
class DeciderModelTest {
  private static final Object REQUEST = new Object();

  private final AtomicLong ticker = new AtomicLong();

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#many")
  void decidesAsTheModel(long seed) {
    Random random = new Random(seed);
    List<Node> nodes = Node.alike(ticker, size(random));
    // Few that pass, so that asking and blocking come up as well.
    double pass = random.nextDouble();
    List<TableRule> rules = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      rules.add(randomRule(random, "rule-" + i, nodes, pass));
    }
    Decider<Node, Object> decider = new Decider<>(rules);
    Selector<Node> selector = Selectors.fewestInFlight();
    for (int round = 0; round < 20; round++) {
      Tried tried = randomlyTried(random, nodes);
      nodes.get(random.nextInt(nodes.size())).vitals().started();

      Verdict preview = Verdict.previewed(decider, Candidates.all(nodes), REQUEST, tried, selector);
      Verdict outcome = Verdict.decided(decider, Candidates.all(nodes), REQUEST, tried, selector);

      assertThat(outcome).as("seed %d", seed).isEqualTo(model(nodes, rules, tried));
      assertThat(preview).as("preview, seed %d", seed).isEqualTo(outcome);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#many")
  void previewsPredictWhateverTheSelectorRemembersAndWhoeverIsWarming(long seed) {
    Random random = new Random(seed);
    List<Node> nodes = Node.many(ticker, size(random), i -> 1 + random.nextInt(5));
    List<TableRule> rules = List.of(randomRule(random, "rule", nodes, 0.7));
    Decider<Node, Object> decider = new Decider<>(rules);
    Selector<Node> selector = random.nextBoolean() ? Selectors.weighted() : Selectors.roundRobin();
    for (int round = 0; round < 200; round++) {
      ticker.addAndGet(random.nextLong(Node.PROBE.toNanos()));
      if (random.nextInt(5) == 0) {
        reopen(nodes.get(random.nextInt(nodes.size())).vitals().circuit());
      }
      Tried tried = random.nextInt(5) == 0 ? randomlyTried(random, nodes) : Tried.NOTHING;

      Verdict preview = Verdict.previewed(decider, Candidates.all(nodes), REQUEST, tried, selector);
      Verdict outcome = Verdict.decided(decider, Candidates.all(nodes), REQUEST, tried, selector);

      assertThat(preview).as("seed %d, round %d", seed, round).isEqualTo(outcome);
      Node chosen = outcome.chosen();
      if (chosen != null) {
        assertThat(decider.admits(chosen, REQUEST)).isTrue();
        assertThat(tried.hasFailed(chosen)).isFalse();
      }
    }
  }

  /** Written as the rules of the house say it, with no thought of speed. */
  private static Verdict model(List<Node> nodes, List<TableRule> rules, Tried tried) {
    List<Node> left = nodes.stream().filter(node -> !tried.hasFailed(node)).toList();

    @Nullable Node chosen = null;
    for (Node node : left) {
      boolean wasPicked = tried.wasAskedLast(node);
      if (wasPicked && answers(node, rules).stream().allMatch(Answer.YES::equals)) {
        return new Verdict(node, null, null);
      }
    }
    for (Node node : left) {
      boolean passes = answers(node, rules).stream().allMatch(Answer.YES::equals);
      if (passes && (chosen == null || node.vitals().inFlight() < chosen.vitals().inFlight())) {
        chosen = node;
      }
    }
    if (chosen != null) {
      return new Verdict(chosen, null, null);
    }

    @Nullable Node ask = null;
    long nearest = 0;
    for (Node node : left) {
      List<Answer> answers = answers(node, rules);
      if (!tried.wasAsked(node) && !answers.contains(Answer.NO)) {
        long near = rules.get(answers.indexOf(Answer.UNSURE)).nearness(node, REQUEST);
        if (ask == null
            || near > nearest
            || (near == nearest && node.vitals().inFlight() < ask.vitals().inFlight())) {
          ask = node;
          nearest = near;
        }
      }
    }
    if (ask != null) {
      return new Verdict(null, ask, null);
    }

    int furthest = -1;
    for (Node node : left) {
      List<Answer> answers = answers(node, rules);
      int stopped = 0;
      while (answers.get(stopped) == Answer.YES) {
        stopped++;
      }
      furthest = Math.max(furthest, stopped);
    }
    return new Verdict(null, null, furthest < 0 ? null : rules.get(furthest));
  }

  private static List<Answer> answers(Node node, List<TableRule> rules) {
    return rules.stream().map(rule -> rule.ask(node, REQUEST)).toList();
  }

  private static int size(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> 1_000;
      case 1 -> 63 + random.nextInt(4);
      default -> 1 + random.nextInt(6);
    };
  }

  private static TableRule randomRule(Random random, String name, List<Node> nodes, double pass) {
    Map<Node, Answer> table = new HashMap<>();
    Map<Node, Long> near = new HashMap<>();
    for (Node node : nodes) {
      Answer failing = random.nextBoolean() ? Answer.NO : Answer.UNSURE;
      table.put(node, random.nextDouble() < pass ? Answer.YES : failing);
      near.put(node, (long) random.nextInt(3));
    }
    return new TableRule(
        name, node -> table.getOrDefault(node, Answer.NO), node -> near.getOrDefault(node, 0L));
  }

  private static Tried randomlyTried(Random random, List<Node> nodes) {
    Tried tried = Tried.NOTHING;
    for (int i = random.nextInt(4); i > 0; i--) {
      Node node = nodes.get(random.nextInt(nodes.size()));
      tried = random.nextBoolean() ? tried.failed(node) : tried.asked(node);
    }
    return tried;
  }

  private static void reopen(Circuit circuit) {
    circuit.failed();
    circuit.failed();
    circuit.trialSucceeded();
  }
}
