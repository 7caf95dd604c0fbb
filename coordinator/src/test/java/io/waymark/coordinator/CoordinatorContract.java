package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.OptionException;
import io.waymark.durable.DurableStoreException;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.TopologyClient;
import io.waymark.topology.TopologyUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a coordinator does, whatever database its store is on. */
abstract class CoordinatorContract extends CoordinatorFixture {
  // ---- the whole way ---------------------------------------------------------------------------

  @Test
  void whatIsUpdatedIsWhatAReaderFinds() {
    try (TopologyClient reader = TopologyClient.builder(snapshots.reader()).build()) {
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
    topology.update("acme", CoordinatorFixture::three);
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

  // ---- drafts ----------------------------------------------------------------------------------

  @Test
  void theFunctionSeesMembersAndStates() {
    topology.update("acme", now -> three(now).set(limits, new Limits(7)));
    AtomicReference<GroupDraft> seen = new AtomicReference<>();

    topology.update(
        "acme",
        now -> {
          seen.set(now);
          return now;
        });

    assertThat(seen.get().exists()).isTrue();
    assertThat(seen.get().members()).hasSize(3);
    assertThat(seen.get().state(limits)).contains(new Limits(7));
  }

  @Test
  void aDraftThatChangesNothingChangesNothing() {
    UpdateResult created = topology.update("acme", CoordinatorFixture::three);
    awaitQuiet();

    UpdateResult same = topology.update("acme", now -> now.drain("acme-1").activate("acme-1"));

    assertThat(same.changed()).isFalse();
    assertThat(same.published()).isTrue();
    assertThat(same.stamp()).isEqualTo(created.stamp());
    assertThat(publisher.begun).hasSize(1);
  }

  @Test
  void anotherOrderOfTheMembersIsAChange() {
    topology.update("acme", CoordinatorFixture::three);

    UpdateResult turned =
        topology.update(
            "acme", now -> now.members(List.of(now.members().get(2), now.members().get(0))));
    topology.update("acme", now -> now.add(Member.active("last")));

    assertThat(turned.version()).isEqualTo(2);
    assertThat(topology.snapshot("acme").orElseThrow().members())
        .extracting(Member::id)
        .containsExactly("acme-2", "acme-0", "last");
  }

  @Test
  void anotherAttributeIsAChange() {
    topology.update("acme", CoordinatorFixture::three);

    UpdateResult moved =
        topology.update(
            "acme", now -> now.put(Member.active("acme-1").with("endpoint", "https://b")));

    assertThat(moved.version()).isEqualTo(2);
    assertThat(topology.snapshot("acme").orElseThrow().member("acme-1").orElseThrow().endpoint())
        .contains("https://b");
  }

  @Test
  void aGroupWithoutMembersIsRefused() {
    assertThatThrownBy(() -> topology.update("acme", now -> now))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("delete");
    topology.update("acme", CoordinatorFixture::three);

    assertThatThrownBy(() -> topology.update("acme", now -> now.members(List.of())))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(topology.snapshot("acme").orElseThrow().stamp().version()).isEqualTo(1);
  }

  @Test
  void aGroupThatIsTooLargeToBePublishedIsRefused() {
    topology.update("acme", CoordinatorFixture::three);
    String kilobyte = "x".repeat(1_000);
    List<Member> large =
        IntStream.range(0, 1_100)
            .mapToObj(i -> Member.active("m-" + i).with("note", kilobyte))
            .toList();

    assertThatThrownBy(() -> topology.update("acme", now -> now.members(large)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("acme")
        .hasMessageContaining("1048576");

    assertThat(topology.snapshot("acme").orElseThrow().members()).hasSize(3);
    assertThat(topology.update("acme", now -> now.members(large.subList(0, 900))).published())
        .isTrue();
  }

  @Test
  void badDraftsAreRefusedWithAClearWordAndChangeNothing() {
    topology.update("acme", CoordinatorFixture::three);
    StateChannel<Limits> stranger =
        StateChannel.of("stranger", Limits.class).deliver((member, update) -> {});

    assertThatThrownBy(() -> topology.update("acme", now -> now.drain("nobody")))
        .hasMessage("group acme has no member nobody");
    assertThatThrownBy(() -> topology.update("acme", now -> now.add(Member.active("acme-1"))))
        .hasMessageContaining("already");
    assertThatThrownBy(() -> topology.update("acme", now -> now.set(stranger, new Limits(1))))
        .hasMessageContaining("stranger");
    assertThatThrownBy(
            () ->
                topology.update(
                    "acme", now -> now.members(List.of(Member.active("a"), Member.active("a")))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> topology.update(" acme", CoordinatorFixture::three))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(topology.snapshot("acme").orElseThrow().stamp().version()).isEqualTo(1);
  }

  @Test
  void whatTheFunctionThrowsReachesTheCallerAndNothingIsChanged() {
    topology.update("acme", CoordinatorFixture::three);

    assertThatThrownBy(
            () ->
                topology.update(
                    "acme",
                    now -> {
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");

    assertThat(topology.snapshot("acme").orElseThrow().stamp().version()).isEqualTo(1);
  }

  @Test
  void manyThreadsChangeOneGroupAndNoChangeIsLost() {
    topology.close();
    restart(builder().publishWait(Duration.ZERO));
    topology.update("acme", CoordinatorFixture::three);

    List<CompletableFuture<UpdateResult>> all =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> topology.update("acme", now -> now.add(Member.active("new-" + i)))))
            .toList();

    all.forEach(CompletableFuture::join);
    assertThat(topology.snapshot("acme").orElseThrow().members()).hasSize(11);
    assertThat(topology.snapshot("acme").orElseThrow().stamp().version()).isEqualTo(9);
  }

  @Test
  void lookingReadsNothingButTheDatabase() {
    topology.update("acme", now -> three(now).set(limits, new Limits(1)));
    awaitQuiet();
    publisher.down(true);
    int writes = publisher.begun.size();

    assertThat(topology.snapshot("acme").orElseThrow().members()).hasSize(3);
    assertThat(topology.state("acme", limits)).contains(new Limits(1));
    assertThat(topology.groups("", 10)).hasSize(1);
    assertThat(topology.snapshot("nobody")).isEmpty();

    assertThat(publisher.begun).hasSize(writes);
    assertThat(shards.arrivals()).hasSize(3);
  }

  @Test
  void aCommitWhoseAnswerIsLostIsFoundAndNotDoneTwice() {
    LostAnswers answers = new LostAnswers();
    topology.close();
    store.close();
    store = database.store(answers::watch).open();
    restart(builder());
    topology.update("acme", CoordinatorFixture::three);

    UpdateResult result =
        topology.update(
            "acme",
            now -> {
              answers.lose(1); // the next commit of this thread is that of the change
              return now.add(Member.active("acme-" + now.members().size()));
            });

    assertThat(answers.left()).isZero();
    assertThat(result.changed()).isTrue();
    assertThat(result.published()).isTrue();
    assertThat(result.version()).isEqualTo(2);
    assertThat(topology.snapshot("acme").orElseThrow().members()).hasSize(4);
  }

  @Test
  void whetherACommitTookEffectIsSaidToBeUnknownWhereNothingTells() {
    LostAnswers answers = new LostAnswers();
    topology.close();
    store.close();
    store = database.store(answers::watch).open();
    restart(builder());
    topology.update("acme", CoordinatorFixture::three);

    assertThatThrownBy(
            () ->
                topology.update(
                    "acme",
                    now -> {
                      answers.lose(2); // of the change, and of the look that follows
                      return now.drain("acme-0");
                    }))
        .isInstanceOf(DurableStoreException.class)
        .hasMessageContaining("WM2004");

    assertThat(topology.snapshot("acme").orElseThrow().writeSet()).hasSize(2);
  }

  @Test
  void nothingOfItRunsOnAfterItWasClosed() {
    topology.update("acme", now -> three(now).set(limits, new Limits(1)));

    topology.close();
    store.close();

    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.matches("waymark-(store|outbox|coordinator)-.*")));
  }

  @Test
  void aSecondCoordinatorOnOneStoreIsRefusedAndTheFirstGoesOn() {
    ControlledPublisher first = publisher;

    assertThatThrownBy(() -> builder().build()).isInstanceOf(IllegalStateException.class);

    assertThat(first.closed).isFalse();
    assertThat(topology.update("acme", CoordinatorFixture::three).published()).isTrue();
  }

  @Test
  void optionsThatCannotBeUsedAreRefusedBeforeAnythingIsOpened() {
    TopologyCoordinatorBuilder builder = TopologyCoordinator.builder(store);

    assertThatThrownBy(() -> builder.publishConcurrency(0))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("publishConcurrency cannot be 0");
    assertThatThrownBy(() -> builder.attemptTimeout(Duration.ZERO))
        .hasMessageContaining("attemptTimeout");
    assertThatThrownBy(() -> builder.publishWait(Duration.ofHours(2)))
        .hasMessageContaining("publishWait");
    assertThatThrownBy(() -> builder.sweepInterval(Duration.ofMillis(1)))
        .hasMessageContaining("sweepInterval");
    assertThatThrownBy(() -> builder.authority(" "))
        .hasMessageContaining("authority cannot be")
        .hasMessageContaining("it must not be empty");
    assertThatThrownBy(builder::build).hasMessageContaining("publisher is missing");
    assertThatThrownBy(() -> builder().state(limits).build())
        .hasMessageContaining("limits is given twice");
    assertThatThrownBy(() -> StateChannel.of("No Name", Limits.class))
        .hasMessageContaining("lower-case letters");
  }

  @Test
  void aClosedCoordinatorSaysSo() {
    topology.close();

    assertThat(publisher.closed).isTrue();
    assertThatThrownBy(() -> topology.update("acme", CoordinatorFixture::three))
        .hasMessageContaining("WM2203");
  }
}
