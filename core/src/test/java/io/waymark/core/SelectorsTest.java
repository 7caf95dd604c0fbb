package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorsTest {
  private final AtomicLong ticker = new AtomicLong();

  @Nested
  class Weighted {
    private final Selector<Node> selector = Selectors.weighted();

    @ParameterizedTest(name = "weights {0}: {1}")
    @CsvSource({
      "3/1/1,       abaca abaca abaca",
      "5/1/1,       aabacaa aabacaa",
      "4/4/4,       abc abc abc",
      "1,           aaa",
      "0.3/0.1/0.1, abaca",
      "0.5/0.25,    aba aba aba",
      "1/2,         bab bab",
    })
    void followsTheKnownSequences(String weights, String expected) {
      List<Node> nodes = Node.weighing(ticker, weights(weights));
      String wanted = expected.replace(" ", "");

      assertThat(picks(selector, nodes, wanted.length())).isEqualTo(wanted);
    }

    @Test
    void givesEveryMemberExactlyItsShareOfEveryRound() {
      List<Node> nodes = Node.weighing(ticker, 7, 2, 1);

      String picks = picks(selector, nodes, 10_000);

      assertThat(countOf(picks)).containsExactly(7_000L, 2_000L, 1_000L);
    }

    @Test
    void aLightMemberThatReturnsCannotJumpTheQueue() {
      List<Node> nodes = Node.weighing(ticker, 5, 1);
      picks(selector, nodes, 4); // the light one is nearly due
      Candidates<Node> heavyAlone = Candidates.masked(nodes, 0b01);
      IntStream.range(0, 100).forEach(i -> selector.select(heavyAlone));

      String afterReturn = picks(selector, nodes, 24);

      assertThat(afterReturn).startsWith("a").doesNotContain("bb");
      assertThat(countOf(afterReturn).get(1)).isLessThanOrEqualTo(6);
    }

    @Test
    void whoMissesOneTurnStartsOver() {
      List<Node> nodes = Node.weighing(ticker, 3, 1);
      picks(selector, nodes, 2); // a: -2, b: 2 and due next

      selector.select(Candidates.masked(nodes, 0b01)); // a: -2 still, b starts over

      assertThat(picks(selector, nodes, 1)).isEqualTo("a"); // a: -2 + 3, b: 0 + 1
      assertThat(picks(selector, nodes, 1)).isEqualTo("b"); // a: -3 + 3, b: 1 + 1
    }

    @Test
    void lookingAheadChangesNothingForMembersThatAreNotInSight() {
      List<Node> nodes = Node.weighing(ticker, 3, 1, 1);
      picks(selector, nodes, 1);

      selector.peek(Candidates.masked(nodes, 0b001));

      assertThat(picks(selector, nodes, 4)).isEqualTo("baca");
    }

    private double[] weights(String text) {
      return List.of(text.split("/")).stream().mapToDouble(Double::parseDouble).toArray();
    }
  }

  @Nested
  class RoundRobin {
    private final Selector<Node> selector = Selectors.roundRobin();

    @Test
    void goesRoundInTheOrderOfConfigurationWhateverTheWeights() {
      List<Node> nodes = Node.weighing(ticker, 9, 1, 5);

      assertThat(picks(selector, nodes, 7)).isEqualTo("abcabca");
    }

    @Test
    void aMissingMemberDoesNotResetTheRotation() {
      List<Node> nodes = Node.alike(ticker, 4);
      picks(selector, nodes, 2); // a, b

      int withoutC = selector.select(Candidates.masked(nodes, 0b1011));
      int withAll = selector.select(Candidates.all(nodes));

      assertThat(nodes.get(withoutC).name()).isEqualTo("d");
      assertThat(nodes.get(withAll).name()).isEqualTo("a");
    }

    @Test
    void theMemberThatWasPickedLastMayBeGone() {
      List<Node> nodes = Node.alike(ticker, 3);
      picks(selector, nodes, 2); // a, b

      assertThat(selector.select(Candidates.masked(nodes, 0b101))).isEqualTo(2);
    }
  }

  @Nested
  class FewestInFlight {
    private final Selector<Node> selector = Selectors.fewestInFlight();

    @Test
    void aTieStaysWithTheEarlierMember() {
      List<Node> nodes = Node.alike(ticker, 3);

      assertThat(picks(selector, nodes, 3)).isEqualTo("aaa");
    }

    @Test
    void whileTheFirstIsBusyTheNextServes() {
      List<Node> nodes = Node.alike(ticker, 3);
      nodes.get(0).vitals().started();

      assertThat(picks(selector, nodes, 3)).isEqualTo("bbb");

      nodes.get(0).vitals().finished();
      assertThat(picks(selector, nodes, 3)).isEqualTo("aaa");
    }
  }

  @Nested
  class LowestLatency {
    private final Selector<Node> selector = Selectors.lowestLatency();

    @Test
    void withoutAnySampleTheFirstServes() {
      assertThat(picks(selector, Node.alike(ticker, 3), 2)).isEqualTo("aa");
    }

    @Test
    void whoHasNoSampleLosesToWhoHasOne() {
      List<Node> nodes = Node.alike(ticker, 3);
      nodes.get(1).vitals().latency(Long.MAX_VALUE);

      assertThat(picks(selector, nodes, 2)).isEqualTo("bb");
    }

    @Test
    void aTieStaysWithTheEarlierMember() {
      List<Node> nodes = Node.alike(ticker, 3);
      nodes.get(2).vitals().latency(5);
      nodes.get(1).vitals().latency(5);

      assertThat(picks(selector, nodes, 2)).isEqualTo("bb");
    }

    @Test
    void changesOverWhenTheLatenciesDo() {
      List<Node> nodes = Node.alike(ticker, 2);
      nodes.get(0).vitals().latency(1_000);
      nodes.get(1).vitals().latency(80_000);
      assertThat(picks(selector, nodes, 1)).isEqualTo("a");

      IntStream.range(0, 30).forEach(i -> nodes.get(0).vitals().latency(80_000));
      IntStream.range(0, 30).forEach(i -> nodes.get(1).vitals().latency(1_000));

      assertThat(picks(selector, nodes, 1)).isEqualTo("b");
    }
  }

  private static String picks(Selector<Node> selector, List<Node> nodes, int turns) {
    Candidates<Node> all = Candidates.all(nodes);
    return IntStream.range(0, turns)
        .mapToObj(i -> nodes.get(selector.select(all)).name())
        .collect(Collectors.joining());
  }

  /** How often each letter occurs, in the order of the alphabet. */
  private static List<Long> countOf(String picks) {
    return List.copyOf(
        picks
            .chars()
            .boxed()
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()))
            .values());
  }
}
