package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.Rule.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeciderTest {
  private static final Object REQUEST = new Object();

  private final AtomicLong ticker = new AtomicLong();
  private final List<Node> nodes = Node.alike(ticker, 3);
  private final Selector<Node> roundRobin = Selectors.roundRobin();

  /** Rows are members; columns are the rules position, lag, capacity; - marks one that failed. */
  @ParameterizedTest(name = "{0} | {1} | {2}: {3}")
  @CsvSource({
    "yes yes yes,    yes yes yes,    yes yes yes,   chosen a",
    "no  yes yes,    yes yes yes,    no  yes yes,   chosen b",
    "unsure yes yes, yes yes yes,    no  yes yes,   chosen b",
    "unsure yes yes, no  yes yes,    no  yes yes,   ask a",
    "no  yes yes,    unsure yes yes, unsure no yes, ask b",
    // Who is full is not asked.
    "unsure yes no,  unsure yes yes, no  yes yes,   ask b",
    // Nobody passes the position or the lag: behind, by the rule that the best of them failed.
    "no  yes yes,    no  yes yes,    no  yes yes,   blocked position",
    "no  yes yes,    yes no  yes,    no  yes yes,   blocked lag",
    "no  yes no,     no  no  yes,    no  no  no,    blocked position",
    // Somebody passes both and is full: saturated, however many others are behind.
    "no  yes yes,    yes no  yes,    yes yes no,    blocked capacity",
    "yes yes no,     yes yes no,     yes yes no,    blocked capacity",
    // Who failed this request counts for nothing.
    "- yes yes yes,  yes yes yes,    no  yes yes,   chosen b",
    "- yes yes no,   no  yes yes,    no  yes yes,   blocked position",
    "- yes yes yes,  - yes yes yes,  - yes yes yes, nobody",
  })
  void theTable(String a, String b, String c, String expected) {
    Map<String, String> rows = Map.of("a", a, "b", b, "c", c);
    Decider<Node, Object> decider =
        new Decider<>(
            List.of(column("position", 0, rows), column("lag", 1, rows), column("full", 2, rows)));
    Tried tried = Tried.NOTHING;
    for (Node node : nodes) {
      tried = cells(rows, node)[0].equals("-") ? tried.failed(node) : tried;
    }

    Verdict preview = Verdict.previewed(decider, Candidates.all(nodes), REQUEST, tried, roundRobin);
    Verdict outcome = Verdict.decided(decider, Candidates.all(nodes), REQUEST, tried, roundRobin);

    assertThat(text(outcome)).isEqualTo(expected.replace("capacity", "full"));
    assertThat(preview).isEqualTo(outcome);
  }

  @Test
  void amongTheUnsureTheNearestIsAskedAndAmongEqualsTheEarlier() {
    Map<String, Long> nearness = Map.of("a", 1L, "b", 5L, "c", 5L);
    Decider<Node, Object> decider =
        new Decider<>(
            List.of(new TableRule("r", node -> Answer.UNSURE, node -> nearness.get(node.name()))));

    Tried tried = Tried.NOTHING;
    for (String expected : List.of("ask b", "ask c", "ask a", "blocked r")) {
      Verdict outcome = Verdict.decided(decider, Candidates.all(nodes), REQUEST, tried, roundRobin);
      assertThat(text(outcome)).isEqualTo(expected);
      tried = outcome.ask() == null ? tried : tried.asked(outcome.ask());
    }
  }

  @Test
  void withNoMembersNobodyIsBlocked() {
    Decider<Node, Object> decider = new Decider<>(List.of(always(Answer.YES)));

    assertThat(
            text(
                Verdict.decided(
                    decider, Candidates.all(List.of()), REQUEST, Tried.NOTHING, roundRobin)))
        .isEqualTo("nobody");
  }

  @Test
  void withoutRulesEverybodyMayServe() {
    Decider<Node, Object> decider = new Decider<>(List.of());

    assertThat(
            text(
                Verdict.decided(
                    decider, Candidates.all(nodes), REQUEST, Tried.NOTHING, roundRobin)))
        .isEqualTo("chosen a");
    assertThat(decider.explain(nodes.get(0), REQUEST)).isNull();
  }

  @Test
  void explainsByTheFirstRuleThatIsNotPassed() {
    Decider<Node, Object> decider =
        new Decider<>(
            List.of(
                new TableRule("first", node -> Answer.YES),
                new TableRule("second", node -> Answer.UNSURE),
                new TableRule("third", node -> Answer.NO)));

    assertThat(decider.explain(nodes.get(1), REQUEST)).isEqualTo("second stops b");
    assertThat(decider.admits(nodes.get(1), REQUEST)).isFalse();
  }

  @Test
  void previewsMoveNoRotation() {
    Decider<Node, Object> decider = new Decider<>(List.of());
    for (String expected : List.of("chosen a", "chosen b", "chosen c", "chosen a")) {
      for (int i = 0; i < 3; i++) {
        assertThat(
                text(
                    Verdict.previewed(
                        decider, Candidates.all(nodes), REQUEST, Tried.NOTHING, roundRobin)))
            .isEqualTo(expected);
      }
      assertThat(
              text(
                  Verdict.decided(
                      decider, Candidates.all(nodes), REQUEST, Tried.NOTHING, roundRobin)))
          .isEqualTo(expected);
    }
  }

  @Nested
  class SlowStart {
    private final Decider<Node, Object> decider = new Decider<>(List.of());

    @ParameterizedTest(name = "{0}, member {1}, after {2} probe intervals")
    @CsvSource({
      "weighted,   0, 1, 0.1",
      "weighted,   0, 3, 0.3",
      "weighted,   0, 6, 0.6",
      "weighted,   2, 1, 0.1",
      "weighted,   2, 3, 0.3",
      "weighted,   2, 6, 0.6",
      "roundRobin, 0, 1, 0.1",
      "roundRobin, 0, 3, 0.3",
      "roundRobin, 0, 6, 0.6",
      "roundRobin, 2, 1, 0.1",
      "roundRobin, 2, 3, 0.3",
      "roundRobin, 2, 6, 0.6",
    })
    void theMemberServesAShareOfWhatItsPeersDo(String name, int warming, int probes, double share) {
      Selector<Node> selector =
          name.equals("weighted") ? Selectors.weighted() : Selectors.roundRobin();
      reopen(nodes.get(warming));
      ticker.addAndGet(Node.PROBE.toNanos() * probes);

      Map<String, Integer> served = new HashMap<>();
      for (int turn = 0; turn < 30_000; turn++) {
        served.merge(
            text(Verdict.decided(decider, Candidates.all(nodes), REQUEST, Tried.NOTHING, selector)),
            1,
            Integer::sum);
      }

      double own = served.getOrDefault("chosen " + nodes.get(warming), 0);
      double peer = served.getOrDefault("chosen b", 0);
      assertThat(own / peer).isBetween(share * 0.6, share * 1.3);
    }

    @Test
    void whoIsAloneServesInEveryTurn() {
      nodes.forEach(this::reopen);
      List<Node> alone = nodes.subList(1, 2);

      for (int turn = 0; turn < 100; turn++) {
        assertThat(
                text(
                    Verdict.decided(
                        decider, Candidates.all(alone), REQUEST, Tried.NOTHING, roundRobin)))
            .isEqualTo("chosen b");
      }
    }

    @Test
    void whereAllAreWarmingSomebodyServesInEveryTurn() {
      nodes.forEach(this::reopen);

      for (int turn = 0; turn < 1_000; turn++) {
        assertThat(
                Verdict.decided(decider, Candidates.all(nodes), REQUEST, Tried.NOTHING, roundRobin)
                    .chosen())
            .isNotNull();
      }
    }

    @Test
    void whoIsTheFreestIsNotFloodedOnReturn() {
      nodes.get(0).vitals().started();
      nodes.get(1).vitals().started();
      reopen(nodes.get(2));

      int served = 0;
      for (int turn = 0; turn < 1_000; turn++) {
        Verdict outcome =
            Verdict.decided(
                decider, Candidates.all(nodes), REQUEST, Tried.NOTHING, Selectors.fewestInFlight());
        served += nodes.get(2).equals(outcome.chosen()) ? 1 : 0;
      }

      assertThat(served).isBetween(70, 130);
    }

    @Test
    void endsByItself() {
      reopen(nodes.get(1));
      ticker.addAndGet(Node.PROBE.toNanos() * Circuit.SLOW_START_PROBES);

      for (String expected : List.of("chosen a", "chosen b", "chosen c", "chosen a")) {
        assertThat(
                text(
                    Verdict.decided(
                        decider, Candidates.all(nodes), REQUEST, Tried.NOTHING, roundRobin)))
            .isEqualTo(expected);
      }
    }

    private void reopen(Node node) {
      node.vitals().circuit().failed();
      node.vitals().circuit().failed();
      node.vitals().circuit().trialSucceeded();
    }
  }

  private static TableRule always(Answer answer) {
    return new TableRule("always", node -> answer);
  }

  private static TableRule column(String name, int index, Map<String, String> rows) {
    return new TableRule(
        name,
        node -> {
          String[] cells = cells(rows, node);
          int skip = cells[0].equals("-") ? 1 : 0;
          return switch (cells[skip + index]) {
            case "yes" -> Answer.YES;
            case "no" -> Answer.NO;
            case "unsure" -> Answer.UNSURE;
            default -> throw new IllegalArgumentException(cells[skip + index]);
          };
        });
  }

  private static String[] cells(Map<String, String> rows, Node node) {
    return rows.getOrDefault(node.name(), "").trim().split(" +", -1);
  }

  private static String text(Verdict outcome) {
    return outcome.toString();
  }
}
