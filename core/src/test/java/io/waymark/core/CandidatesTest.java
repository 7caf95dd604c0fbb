package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CandidatesTest {
  private final AtomicLong ticker = new AtomicLong();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 1_000})
  void allMembersTakePart(int size) {
    List<Node> nodes = Node.alike(ticker, size);

    Candidates<Node> all = Candidates.all(nodes);

    assertThat(all.count()).isEqualTo(size);
    assertThat(all.first()).isZero();
    assertThat(all.end()).isEqualTo(size);
    assertThat(IntStream.range(0, size)).allMatch(all::has);
    assertThat(IntStream.range(0, size).mapToObj(all::get)).containsExactlyElementsOf(nodes);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 1_000})
  void aFilterThatAllPassChangesNothing(int size) {
    Candidates<Node> all = Candidates.all(Node.alike(ticker, size));

    assertThat(all.where((node, one, two) -> true, "", "")).isSameAs(all);
    assertThat(all.where((node, one, two) -> false, "", "").count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 63, 64, 65, 1_000})
  void filtersNarrow(int size) {
    Candidates<Node> all = Candidates.all(Node.alike(ticker, size));

    Candidates<Node> even = all.where((node, one, two) -> node.ordinal() % 2 == 0, "", "");
    Candidates<Node> every6th = even.where((node, one, two) -> node.ordinal() % 3 == 0, "", "");

    assertThat(ordinals(every6th))
        .isEqualTo(IntStream.range(0, size).filter(i -> i % 6 == 0).boxed().toList());
  }

  private static List<Integer> ordinals(Candidates<Node> some) {
    return IntStream.range(0, some.end())
        .filter(some::has)
        .mapToObj(i -> some.get(i).ordinal())
        .toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#few")
  void whoTakesPartIsFoundByNumber(long seed) {
    Random random = new Random(seed);
    List<Node> nodes = Node.alike(ticker, 1 + random.nextInt(64));
    long within = nodes.size() == 64 ? -1 : (1L << nodes.size()) - 1;
    Candidates<Node> some = Candidates.masked(nodes, random.nextLong() & within);

    assertThat(IntStream.range(0, some.count()).map(some::nth).boxed())
        .isEqualTo(IntStream.range(0, some.end()).filter(some::has).boxed().toList());
  }

  @Test
  void ofMoreThanSixtyFourWhoTakesPartIsFoundByNumberToo() {
    Candidates<Node> all = Candidates.all(Node.alike(ticker, 65));

    Candidates<Node> odd = all.where((node, one, two) -> node.ordinal() % 2 == 1, "", "");

    assertThat(all.nth(64)).isEqualTo(64);
    assertThat(odd.get(odd.nth(31)).ordinal()).isEqualTo(63);
  }

  @Test
  void nobodyTakesPartInNothing() {
    assertThat(Candidates.all(List.<Node>of()).first()).isEqualTo(-1);
    assertThat(Candidates.masked(Node.alike(ticker, 64), 0).first()).isEqualTo(-1);
  }

  @Test
  void theSixtyFourthMemberIsTheLastBit() {
    Candidates<Node> last = Candidates.masked(Node.alike(ticker, 64), 1L << 63);

    assertThat(last.count()).isEqualTo(1);
    assertThat(last.first()).isEqualTo(63);
    assertThat(last.has(62)).isFalse();
    assertThat(last.has(63)).isTrue();
  }
}
