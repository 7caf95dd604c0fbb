package io.waymark.topology.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.Outcome;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.MemorySnapshots;
import io.waymark.topology.Stamp;
import io.waymark.topology.TopologyClient;
import io.waymark.topology.TopologyUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The router over the members of a group. */
class GroupRouterTest {
  private final MemorySnapshots store = new MemorySnapshots();
  private final TopologyClient client = TopologyClient.builder(store.reader()).build();
  private final List<String> reached = new ArrayList<>();
  private int version;

  @AfterEach
  void close() {
    client.close();
  }

  private void publish(Member... members) {
    Stamp stamp = Stamp.parse("1." + ++version + "@c1");
    store.publisher().write(new GroupSnapshot("acme", stamp, List.of(members)));
  }

  private ShardRouterBuilder<String, String, String> builder(MemberRole role) {
    return ShardRouter.builder(String.class)
        .group(
            client,
            "acme",
            role,
            member -> {
              reached.add(member.id());
              return member.endpoint().orElse(member.id());
            })
        .invoke((String endpoint, String input) -> Outcome.accepted(endpoint));
  }

  private static Set<String> called(Router<String, String> router) {
    Set<String> called = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      Outcome<String> outcome = router.push("input " + i);
      called.add(outcome instanceof Outcome.Accepted<String> accepted ? accepted.value() : "?");
    }
    return called;
  }

  @Test
  void pushesGoToTheWriteSetAndDrainingMembersGetNone() {
    publish(Member.active("a"), Member.draining("b"), Member.joining("c"), Member.active("d"));
    ShardRouter<String, String, String> router = builder(MemberRole.WRITE).build();

    assertThat(called(router)).containsExactlyInAnyOrder("a", "d");
    assertThat(router.inspect().toString()).contains("b: draining", "c: joining");
  }

  @Test
  void onRequestDrainingMembersAreReadToo() {
    publish(Member.active("a"), Member.draining("b"), Member.joining("c"));

    assertThat(called(builder(MemberRole.READ).build())).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void membersComeAndGoWithThePublishedGroup() {
    publish(Member.active("a"), Member.active("b"));
    ShardRouter<String, String, String> router = builder(MemberRole.WRITE).build();
    assertThat(called(router)).containsExactlyInAnyOrder("a", "b");

    publish(Member.draining("a"), Member.active("b"), Member.active("c"));

    assertThat(called(router)).containsExactlyInAnyOrder("b", "c");
    assertThat(router.width()).isEqualTo(2);
  }

  @Test
  void eachMemberIsReachedOnceAndAgainWhenItMoves() {
    publish(Member.active("a").with("endpoint", "old"), Member.active("b"));
    ShardRouter<String, String, String> router = builder(MemberRole.WRITE).build();
    called(router);
    assertThat(reached).containsExactlyInAnyOrder("a", "b");

    publish(Member.active("a").with("endpoint", "new"), Member.active("b"));

    assertThat(called(router)).containsExactlyInAnyOrder("new", "b");
    assertThat(reached).containsExactlyInAnyOrder("a", "b", "a");
  }

  @Test
  void weightsOfMembersCount() {
    publish(Member.active("a"), Member.active("b").with("weight", "9"));
    ShardRouter<String, String, String> router = builder(MemberRole.WRITE).build();

    long heavy =
        IntStream.range(0, 2_000)
            .filter(i -> router.push("x").equals(Outcome.accepted("b")))
            .count();

    assertThat(heavy).isBetween(1_700L, 1_900L);
  }

  @Test
  void anEjectedMemberThatLeavesAndComesBackStartsWithAClearRecord() {
    publish(Member.active("a"), Member.active("b"));
    ShardRouter<String, String, String> router =
        ShardRouter.builder(String.class)
            .group(client, "acme", Member::id)
            .<String, String>invoke(
                (id, input) -> {
                  if (id.equals("a") && input.equals("fail")) {
                    throw new IllegalStateException("down");
                  }
                  return Outcome.accepted(id);
                })
            .picking(p -> p.failureCost(Duration.ZERO))
            .build();
    for (int i = 0; i < 200; i++) {
      try {
        router.push("fail");
      } catch (IllegalStateException expected) {
        // a is down
      }
    }
    assertThat(router.inspect().toString()).contains("a: left out after 5 failures");

    publish(Member.active("b"));
    router.push("x");
    publish(Member.active("a"), Member.active("b"));

    assertThat(called(router)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void aKeyStaysWithItsMemberAndOnlyTheKeysOfALostMemberMove() {
    publish(Member.active("a"), Member.active("b"), Member.active("c"), Member.active("d"));
    ShardRouter<String, String, String> router =
        builder(MemberRole.WRITE).key(input -> input).build();
    List<Outcome<String>> before = pushes(router);

    publish(Member.active("a"), Member.draining("b"), Member.active("c"), Member.active("d"));
    List<Outcome<String>> after = pushes(router);

    for (int i = 0; i < before.size(); i++) {
      if (before.get(i).equals(Outcome.accepted("b"))) {
        assertThat(after.get(i)).isNotEqualTo(before.get(i));
      } else {
        assertThat(after.get(i)).isEqualTo(before.get(i));
      }
    }
    assertThat(before).contains(Outcome.accepted("b"));
    assertThat(router.inspect("k1", RoutingContext.EMPTY).reason()).startsWith("key:");
  }

  private static List<Outcome<String>> pushes(Router<String, String> router) {
    return IntStream.range(0, 200).mapToObj(i -> router.push("k" + i)).toList();
  }

  @Test
  void aRuleMayNameMembersOnly() {
    publish(Member.active("a"), Member.draining("b"));
    ShardRouter<String, String, String> router =
        builder(MemberRole.WRITE).sharding((input, context, seen) -> Shard.named(input)).build();

    assertThat(router.push("a").isAccepted()).isTrue();
    assertThatThrownBy(() -> router.push("b"))
        .isInstanceOf(RoutingException.class)
        .hasMessageStartingWith("WM2301: \"b\" is no member of group \"acme\"");
  }

  @Test
  void whileNobodyTakesPushesThereIsAClearError() {
    publish(Member.draining("a"), Member.joining("b"));
    ShardRouter<String, String, String> router = builder(MemberRole.WRITE).build();
    ShardRouter<String, String, String> byKey =
        builder(MemberRole.WRITE).key(input -> input).build();

    assertThatThrownBy(() -> router.push("x")).hasMessageStartingWith("WM2302: ");
    assertThatThrownBy(() -> byKey.push("x")).hasMessageStartingWith("WM2302: ");
    assertThat(router.inspect()).hasToString("write -> refused (WM2302) [a: draining; b: joining]");
    assertThat(reached).isEmpty();
  }

  @Test
  void aGroupThatCannotBeHadIsTheClientsError() {
    ShardRouter<String, String, String> router = builder(MemberRole.WRITE).build();

    assertThatThrownBy(() -> router.push("x")).isInstanceOf(TopologyUnavailableException.class);
  }

  @Test
  void theCompatiblePolicyWorksOnMembersToo() {
    publish(Member.active("a"), Member.draining("b"), Member.active("c"));

    assertThat(called(builder(MemberRole.WRITE).policy(RoutingPolicy.COMPATIBLE).build()))
        .containsExactlyInAnyOrder("a", "c");
  }
}
