package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.durable.OutboxEvent;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import io.waymark.topology.Stamp;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How the members of a group come to hold the values of its states. */
abstract class StateContract extends CoordinatorFixture {
  private final Shards readers = new Shards();
  private final StateChannel<Limits> schema =
      StateChannel.of("schema", Limits.class)
          .members(MemberRole.READ)
          .backoff(Fast.BACKOFF)
          .deliver(readers);

  private void withSchema() {
    topology.close();
    restart(builder().state(schema));
  }

  @Test
  void aValueThatIsSetAgainIsNotDeliveredAgain() {
    topology.update("acme", now -> three(now).set(limits, new Limits(1)));
    awaitQuiet();

    UpdateResult same = topology.update("acme", now -> now.set(limits, new Limits(1)));

    assertThat(same.changed()).isFalse();
    assertThat(topology.backlog()).isEmpty();
    assertThat(shards.arrivals("acme-0")).hasSize(1);
  }

  @Test
  void aChangeOfAStateAlonePublishesNothing() {
    UpdateResult created = topology.update("acme", CoordinatorFixture::three);

    UpdateResult result = topology.update("acme", now -> now.set(limits, new Limits(1)));

    assertThat(result.changed()).isTrue();
    assertThat(result.published()).isTrue();
    assertThat(result.stamp()).isEqualTo(created.stamp());
    awaitQuiet();
    assertThat(publisher.begun).hasSize(1);
    assertThat(shards.of("acme-1")).isEqualTo(new Limits(1));
  }

  @Test
  void aMemberThatDrainsLeavesTheWriteRoleAndStaysInTheReadRole() {
    withSchema();
    topology.update(
        "acme", now -> three(now).set(limits, new Limits(1)).set(schema, new Limits(1)));
    awaitQuiet();
    shards.breakOne("acme-1");
    topology.update("acme", now -> now.set(limits, new Limits(2)));
    await().until(() -> topology.delivery(limits, "acme", "acme-1").orElseThrow().attempts() > 1);

    topology.update("acme", now -> now.drain("acme-1"));
    shards.mend("acme-1");

    awaitQuiet();
    assertThat(shards.of("acme-1")).isEqualTo(new Limits(1));
    topology.update("acme", now -> now.set(limits, new Limits(3)).set(schema, new Limits(3)));
    awaitQuiet();
    assertThat(shards.of("acme-1")).isEqualTo(new Limits(1));
    assertThat(readers.of("acme-1")).isEqualTo(new Limits(3));
    assertThat(shards.of("acme-0")).isEqualTo(new Limits(3));
  }

  @Test
  void aMemberThatIsActiveAgainGetsWhatItMissed() {
    topology.update("acme", now -> three(now).drain("acme-1").set(limits, new Limits(1)));
    awaitQuiet();

    topology.update("acme", now -> now.activate("acme-1"));

    awaitQuiet();
    assertThat(shards.of("acme-1")).isEqualTo(new Limits(1));
  }

  @Test
  void aMemberThatFailsHoldsUpNoOtherAndEndsWithTheNewestValueOnly() {
    shards.breakOne("acme-1");
    topology.update("acme", now -> three(now).set(limits, new Limits(1)));
    topology.update("acme", now -> now.set(limits, new Limits(2)));
    await().until(() -> new Limits(2).equals(shards.of("acme-0")));
    await().until(() -> new Limits(2).equals(shards.of("acme-2")));
    assertThat(topology.pendingDeliveries(limits, "", 10)).hasSize(1);
    assertThat(topology.pendingDeliveries(limits, "", 10).get(0).key())
        .isEqualTo("[\"acme\",\"acme-1\"]");

    shards.mend("acme-1");

    awaitQuiet();
    assertThat(shards.arrivals("acme-1"))
        .extracting(Shards.Arrival::value)
        .containsExactly(new Limits(2));
  }

  @Test
  void aMemberThatHangsHoldsUpNoOther() throws InterruptedException {
    CountDownLatch hangs = new CountDownLatch(1);
    StateChannel<Limits> slow =
        StateChannel.of("slow", Limits.class)
            .concurrency(2)
            .attemptTimeout(Duration.ofMillis(200))
            .deliver(
                (member, update) -> {
                  if (member.id().equals("acme-0")) {
                    hangs.await(20, TimeUnit.SECONDS);
                  }
                  readers.deliver(member, update);
                });
    topology.close();
    restart(builder().state(slow));

    topology.update("acme", now -> three(now).set(slow, new Limits(1)));

    await().untilAsserted(() -> assertThat(readers.of("acme-1")).isNotNull());
    await().untilAsserted(() -> assertThat(readers.of("acme-2")).isNotNull());
    assertThat(topology.delivery(slow, "acme", "acme-0").orElseThrow().pending()).isTrue();
    hangs.countDown();
    awaitQuiet();
  }

  @Test
  void whatAMemberIsToldHasRisingStampsAlsoWhenTheGroupWasDeletedBetween() {
    topology.update("acme", now -> three(now).set(limits, new Limits(1)));
    awaitQuiet();
    topology.update("acme", now -> now.set(limits, new Limits(2)));
    awaitQuiet();
    topology.delete("acme");
    topology.update("acme", now -> three(now).set(limits, new Limits(3)));
    awaitQuiet();

    List<Stamp> stamps = shards.arrivals("acme-0").stream().map(Shards.Arrival::stamp).toList();
    assertThat(stamps).hasSize(3);
    assertThat(stamps.get(1).isNewerThan(stamps.get(0))).isTrue();
    assertThat(stamps.get(2).isNewerThan(stamps.get(1))).isTrue();
    assertThat(shards.of("acme-0")).isEqualTo(new Limits(3));
  }

  @Test
  void aDeliveryThatArrivesAfterANewerOneHasAnOlderStamp() {
    CountDownLatch late = new CountDownLatch(1);
    StateChannel<Limits> slow =
        StateChannel.of("slow", Limits.class)
            .attemptTimeout(Duration.ofMillis(200))
            .backoff(Fast.BACKOFF)
            .deliver(
                (member, update) -> {
                  if (update.value().equals(new Limits(1))) {
                    awaitUninterrupted(late);
                  }
                  readers.deliver(member, update);
                });
    topology.close();
    restart(builder().state(slow));
    topology.update("acme", now -> now.add(Member.active("one")).set(slow, new Limits(1)));
    topology.update("acme", now -> now.set(slow, new Limits(2)));
    await().until(() -> new Limits(2).equals(readers.of("one")));

    late.countDown();

    await()
        .untilAsserted(
            () ->
                assertThat(readers.arrivals("one"))
                    .extracting(Shards.Arrival::value)
                    .contains(new Limits(1)));
    assertThat(readers.of("one")).isEqualTo(new Limits(2));
    awaitQuiet();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aValueThatIsTooLongIsRefusedAndChangesNothing() {
    StateChannel<String> text =
        StateChannel.of("text", String.class).deliver((member, update) -> {});
    topology.close();
    restart(builder().state(text));
    topology.update("acme", CoordinatorFixture::three);
    String tooLong = "x".repeat(StateChannel.LONGEST_VALUE);

    assertThatThrownBy(() -> topology.update("acme", now -> now.drain("acme-0").set(text, tooLong)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("text")
        .hasMessageContaining("1048576");

    assertThat(topology.snapshot("acme").orElseThrow().writeSet()).hasSize(3);
  }

  @Test
  void aValueThatOnlyDiffersInTheOrderOfItsPropertiesIsTheSame() {
    AtomicInteger delivered = new AtomicInteger();
    StateChannel<Object> any =
        StateChannel.of("any", Object.class)
            .deliver((member, update) -> delivered.incrementAndGet());
    topology.close();
    restart(builder().state(any));
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("a", 1);
    one.put("b", List.of(1.50, 2));
    Map<String, Object> turned = new LinkedHashMap<>();
    turned.put("b", List.of(1.50, 2));
    turned.put("a", 1);
    topology.update("acme", now -> now.add(Member.active("one")).set(any, one));
    awaitQuiet();

    assertThat(topology.update("acme", now -> now.set(any, turned)).changed()).isFalse();

    assertThat(topology.backlog()).isEmpty();
    assertThat(delivered).hasValue(1);
  }

  @Test
  void deletingAGroupTakesBackWhatIsPending() {
    shards.breakOne("acme-0");
    topology.update("acme", now -> three(now).set(limits, new Limits(1)));
    await().until(() -> topology.backlog().size() == 1);

    topology.delete("acme");
    shards.mend("acme-0");

    awaitQuiet();
    assertThat(shards.arrivals("acme-0")).isEmpty();
  }

  @Test
  void aValueThatIsClearedIsTakenBackAndNotGivenToNewMembers() {
    topology.update("acme", now -> three(now).set(limits, new Limits(1)));
    awaitQuiet();

    topology.update("acme", now -> now.clear(limits));
    topology.update("acme", now -> now.add(Member.active("acme-3")));

    awaitQuiet();
    assertThat(topology.state("acme", limits)).isEmpty();
    assertThat(shards.arrivals("acme-3")).isEmpty();
  }

  @Test
  void aProcessWithoutTheChannelStagesForNewMembersWhatOneWithItDelivers() {
    topology.update("acme", now -> three(now).set(limits, new Limits(1)));
    awaitQuiet();
    topology.close();
    restart(TopologyCoordinator.builder(store).publisher(snapshots.publisher()));
    topology.update("acme", now -> now.add(Member.active("acme-3")));
    topology.close();

    restart(builder());

    awaitQuiet();
    assertThat(shards.of("acme-3")).isEqualTo(new Limits(1));
  }

  @Test
  void eventsNameGroupAndMember() {
    topology.update("acme", now -> three(now).set(limits, new Limits(1)));
    awaitQuiet();

    await()
        .untilAsserted(
            () ->
                assertThat(
                        events.stream()
                            .filter(CoordinatorEvent.Attempted.class::isInstance)
                            .map(each -> ((CoordinatorEvent.Attempted) each).attempt())
                            .filter(each -> each.kind() == OutboxEvent.Kind.DELIVERED)
                            .map(each -> each.channel() + " " + each.key()))
                    .contains(
                        "waymark.topology acme",
                        "waymark.topology.limits [\"acme\",\"acme-0\"]",
                        "waymark.topology.limits [\"acme\",\"acme-2\"]"));
  }
}
