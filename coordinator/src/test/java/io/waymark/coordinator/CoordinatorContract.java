package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.durable.DurableStore;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.MemorySnapshots;
import io.waymark.topology.TopologyClient;
import io.waymark.topology.TopologyUnavailableException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a coordinator does, whatever database its store is on. */
abstract class CoordinatorContract {
  final TestDatabase database = newDatabase();
  final MemorySnapshots published = new MemorySnapshots();
  final Shards shards = new Shards();
  final StateChannel<Limits> limits = StateChannel.of("limits", Limits.class).deliver(shards);
  DurableStore store = database.store().open();
  TopologyCoordinator topology = build(builder());

  abstract TestDatabase newDatabase();

  TopologyCoordinatorBuilder builder() {
    return TopologyCoordinator.builder(store).publisher(published.publisher()).state(limits);
  }

  TopologyCoordinator build(TopologyCoordinatorBuilder builder) {
    return builder.build();
  }

  @AfterEach
  void close() {
    topology.close();
    store.close();
    database.close();
  }

  /** Three active members. */
  static GroupDraft three(GroupDraft draft) {
    String group = draft.group();
    return draft
        .add(Member.active(group + "-0"))
        .add(Member.active(group + "-1"))
        .add(Member.active(group + "-2"));
  }

  // ---- the whole way ---------------------------------------------------------------------------

  @Test
  void whatIsUpdatedIsWhatAReaderFinds() {
    try (TopologyClient reader = TopologyClient.builder(published.reader()).build()) {
      UpdateResult created =
          topology.update(
              "acme",
              now -> three(now).put(Member.active("acme-2").with("endpoint", "https://10.0.0.7")));

      assertThat(created.changed()).isTrue();
      assertThat(created.published()).isTrue();
      assertThat(created.version()).isEqualTo(1);
      GroupSnapshot seen = reader.get("acme");
      assertThat(seen.stamp()).isEqualTo(created.stamp());
      assertThat(seen.writeSet())
          .extracting(Member::id)
          .containsExactly("acme-0", "acme-1", "acme-2");
      assertThat(seen.member("acme-2").orElseThrow().endpoint()).contains("https://10.0.0.7");

      UpdateResult drained = topology.update("acme", now -> now.drain("acme-1"));

      await()
          .untilAsserted(() -> assertThat(reader.get("acme").stamp()).isEqualTo(drained.stamp()));
      assertThat(reader.get("acme").writeSet()).hasSize(2);
      assertThat(reader.get("acme").readSet()).hasSize(3);

      topology.delete("acme");

      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> reader.get("acme"))
                      .isInstanceOf(TopologyUnavailableException.class));
    }
  }

  @Test
  void aStateIsDeliveredToTheMembersInItsRole() {
    topology.update("acme", now -> three(now).drain("acme-2").set(limits, new Limits(100)));

    await()
        .untilAsserted(
            () -> {
              assertThat(shards.of("acme-0")).isEqualTo(new Limits(100));
              assertThat(shards.of("acme-1")).isEqualTo(new Limits(100));
            });
    await().until(() -> topology.backlog().isEmpty());
    assertThat(shards.of("acme-2")).isNull();
    assertThat(limits.members()).isEqualTo(MemberRole.WRITE);
    assertThat(topology.state("acme", limits)).contains(new Limits(100));
  }

  @Test
  void aNewMemberGetsTheValueThatIsSet() {
    topology.update("acme", now -> three(now).set(limits, new Limits(100)));
    await().until(() -> topology.backlog().isEmpty());

    topology.update("acme", now -> now.add(Member.active("acme-3")));

    await().untilAsserted(() -> assertThat(shards.of("acme-3")).isEqualTo(new Limits(100)));
    await().until(() -> topology.backlog().isEmpty());
    assertThat(shards.arrivals("acme-0")).hasSize(1);
  }

  @Test
  void theFunctionRunsAgainWhereTheGroupWasChangedMeanwhile() {
    topology.update("acme", CoordinatorContract::three);
    AtomicInteger runs = new AtomicInteger();

    UpdateResult result =
        topology.update(
            "acme",
            now -> {
              if (runs.incrementAndGet() == 1) {
                topology.update("acme", other -> other.drain("acme-0"));
              }
              return now.drain("acme-1");
            });

    assertThat(runs).hasValue(2);
    assertThat(result.version()).isEqualTo(3);
    assertThat(topology.snapshot("acme").orElseThrow().writeSet())
        .extracting(Member::id)
        .containsExactly("acme-2");
  }

  @Test
  void groupsAreListedInPages() {
    for (String group : List.of("a", "b", "c")) {
      topology.update(group, now -> now.add(Member.active("one")));
    }
    topology.delete("b");

    assertThat(topology.groups("", 2)).extracting(GroupSummary::name).containsExactly("a", "b");
    assertThat(topology.groups("b", 2)).extracting(GroupSummary::name).containsExactly("c");
    assertThat(topology.groups("", 10).get(1).deleted()).isTrue();
    assertThat(topology.groups("", 10).get(0).members()).isEqualTo(1);
  }
}
