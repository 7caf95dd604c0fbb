package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RendezvousTest {
  private static final int KEYS = 100_000;

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "member-" + i).toList();
  }

  private static List<String> without(List<String> names, String one) {
    return names.stream().filter(each -> !each.equals(one)).toList();
  }

  private static Rendezvous<String> weighted(List<String> names, ToDoubleFunction<String> weight) {
    return Rendezvous.of(names, name -> name, weight);
  }

  private static Map<String, Integer> counts(Rendezvous<String> rendezvous) {
    Map<String, Integer> counts = new HashMap<>();
    for (int key = 0; key < KEYS; key++) {
      counts.merge(rendezvous.pick("key-" + key), 1, Integer::sum);
    }
    return counts;
  }

  @ParameterizedTest(name = "{0} members")
  @ValueSource(ints = {1, 2, 8, 16, 64})
  void keysAreSpreadEvenly(int members) {
    double mean = (double) KEYS / members;

    assertThat(counts(Rendezvous.of(names(members))).values())
        .hasSize(members)
        .allSatisfy(count -> assertThat(count / mean).isBetween(0.9, 1.1));
  }

  @Test
  void aMemberThatLeavesMovesItsOwnKeysOnly() {
    List<String> names = names(16);
    Rendezvous<String> before = Rendezvous.of(names);
    Rendezvous<String> after = Rendezvous.of(without(names, "member-5"));

    int moved = 0;
    for (int key = 0; key < KEYS; key++) {
      String held = before.pick("key-" + key);
      if (held.equals("member-5")) {
        moved++;
      } else {
        assertThat(after.pick("key-" + key)).isEqualTo(held);
      }
    }

    assertThat((double) moved / KEYS).isCloseTo(1 / 16.0, within(0.004));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#few")
  void theOrderOfTheMembersDoesNotMatter(long seed) {
    Random random = new Random(seed);
    List<String> shuffled = new ArrayList<>(names(1 + random.nextInt(40)));
    ToDoubleFunction<String> weight = name -> 1 + name.length() % 3;
    Rendezvous<String> one = weighted(shuffled, weight);
    Collections.shuffle(shuffled, random);
    Rendezvous<String> other = weighted(shuffled, weight);

    for (int i = 0; i < 500; i++) {
      long key = random.nextLong();
      int count = 1 + random.nextInt(shuffled.size());
      assertThat(other.pick(key)).as("seed %d", seed).isEqualTo(one.pick(key));
      assertThat(other.best(key, count)).isEqualTo(one.best(key, count));
    }
  }

  @Test
  void membersHaveTheShareOfTheirWeight() {
    Map<String, Double> weights = Map.of("a", 1.0, "b", 2.0, "c", 3.0, "d", 0.5);
    Map<String, Integer> counts = counts(weighted(List.copyOf(weights.keySet()), weights::get));

    weights.forEach(
        (name, weight) ->
            assertThat(counts.getOrDefault(name, 0) / (double) KEYS)
                .as(name)
                .isCloseTo(weight / 6.5, within(0.006)));
  }

  @Test
  void aWeightThatRisesTakesKeysAndMovesNothingElse() {
    List<String> names = names(8);
    Rendezvous<String> before = weighted(names, name -> name.equals("member-3") ? 1 : 2);
    Rendezvous<String> after = weighted(names, name -> name.equals("member-3") ? 1.5 : 2);

    int moved = 0;
    for (int key = 0; key < KEYS; key++) {
      String now = after.pick("key-" + key);
      if (!now.equals(before.pick("key-" + key))) {
        assertThat(now).isEqualTo("member-3");
        moved++;
      }
    }

    assertThat((double) moved / KEYS).isCloseTo(1.5 / 15.5 - 1 / 15.0, within(0.004));
  }

  @Test
  void equalWeightsGiveWhatNoWeightsGive() {
    Rendezvous<String> none = Rendezvous.of(names(16));
    Rendezvous<String> sevens = weighted(names(16), name -> 7);
    // One that is nearly as heavy takes the other way to the same picks.
    Rendezvous<String> nearly = weighted(names(16), name -> name.endsWith("-0") ? 1 + 1e-12 : 1);

    for (int key = 0; key < 10_000; key++) {
      assertThat(sevens.pick(key)).isEqualTo(none.pick(key));
      assertThat(nearly.pick(key)).isEqualTo(none.pick(key));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#few")
  void theBestAreTheFirstOfAnOrderOfAll(long seed) {
    Random random = new Random(seed);
    List<String> names = names(1 + random.nextInt(60));
    Rendezvous<String> rendezvous = weighted(names, name -> 1 + name.length() % 2);

    for (int i = 0; i < 200; i++) {
      long key = random.nextLong();
      // The best, then the best of those that are left, and so on.
      List<String> order = new ArrayList<>();
      List<String> left = names;
      while (!left.isEmpty()) {
        String best = weighted(left, name -> 1 + name.length() % 2).pick(key);
        order.add(best);
        left = without(left, best);
      }
      for (int count : new int[] {1, 2, names.size() / 2 + 1, names.size(), names.size() + 5}) {
        assertThat(rendezvous.best(key, count))
            .as("seed %d, key %d", seed, key)
            .isEqualTo(order.subList(0, Math.min(count, names.size())));
      }
    }
  }

  /** Clients, members and subsets as in the published comparison, with its imbalance and churn. */
  @ParameterizedTest(name = "{0} clients, {1} members, {2} each")
  @CsvSource({"100, 100, 5, 3.0", "100, 10, 5, 1.35", "2000, 10, 5, 1.08", "40, 16, 8, 1.5"})
  void subsetsAreBalancedAndOneMemberChangesAtMost(
      int clients, int members, int size, double imbalance) {
    List<String> names = names(members);
    Rendezvous<String> all = Rendezvous.of(names);
    Map<String, Integer> used = new HashMap<>();
    int joined = 0;
    int left = 0;
    for (int client = 0; client < clients; client++) {
      List<String> subset = all.best("client-" + client, size);
      subset.forEach(name -> used.merge(name, 1, Integer::sum));
      joined += changed(subset, Rendezvous.of(names(members + 1)).best("client-" + client, size));
      for (String name : names) {
        List<String> after = Rendezvous.of(without(names, name)).best("client-" + client, size);
        int changes = changed(subset, after);
        assertThat(changes).isEqualTo(subset.contains(name) ? 1 : 0);
        left += changes;
      }
    }

    double mean = (double) clients * size / members;
    assertThat(Collections.max(used.values()) / mean).isBetween(1.0, imbalance);
    assertThat((double) joined / clients)
        .isCloseTo((double) size / (members + 1), within(3 / Math.sqrt(clients) / 2));
    assertThat((double) left / clients / members).isEqualTo((double) size / members);
  }

  /** How many members of a subset another has in their place; never more than one. */
  private static int changed(List<String> before, List<String> after) {
    Set<String> fresh = new HashSet<>(after);
    fresh.removeAll(before);
    assertThat(fresh).hasSizeLessThanOrEqualTo(1);
    assertThat(after).hasSameSizeAs(before);
    return fresh.size();
  }

  @Test
  void membersAreKnownByName() {
    record Node(String name, int port) {}
    List<Node> nodes = List.of(new Node("b", 2), new Node("a", 1));
    Rendezvous<Node> rendezvous = Rendezvous.of(nodes, Node::name, node -> 1);

    assertThat(rendezvous.members()).extracting(Node::port).containsExactly(1, 2);
    assertThat(rendezvous.pick("key").name())
        .isEqualTo(Rendezvous.of(List.of("a", "b")).pick("key"));
  }

  @Test
  void whatIsNoSetOfMembersIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rendezvous.of(List.of()))
        .withMessage("there must be at least one member");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rendezvous.of(List.of("a", "b", "a")))
        .withMessage("member \"a\" occurs twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> weighted(List.of("a"), name -> 0))
        .withMessage("the weight of \"a\" must be positive and finite, was 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> weighted(List.of("a"), name -> Double.POSITIVE_INFINITY));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rendezvous.of(List.of("a")).best("key", 0))
        .withMessage("count must be at least 1, was 0");
  }

  @Test
  void aPickAllocatesNothing() {
    Rendezvous<String> plain = Rendezvous.of(names(64));
    Rendezvous<String> heavy = weighted(names(64), name -> name.length());

    assertThat(Allocations.leastPerCall(i -> plain.pick(i).length())).isLessThan(0.1);
    assertThat(Allocations.leastPerCall(i -> heavy.pick("tenant-7").length() + i)).isLessThan(0.1);
    assertThat(Allocations.leastPerCall(i -> JumpHash.bucket("tenant-7", i + 1))).isLessThan(0.1);
  }
}
