package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Meters;
import io.waymark.durable.StoreSeams;
import io.waymark.topology.Member;
import io.waymark.topology.Published;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.Tombstone;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** How groups come to be in the store of snapshots. */
abstract class PublishingContract extends CoordinatorFixture {
  private static final Duration SHORT = Duration.ofMillis(300);

  /** A store that keeps whatever arrives last. */
  private final Map<String, String> last = new ConcurrentHashMap<>();

  private boolean recordWasThere;

  @Test
  void aChangeIsCommittedThoughTheStoreIsDownAndPublishedWhenItIsBack() {
    publisher.fail(each -> true);

    UpdateResult result = topology.update("acme", CoordinatorFixture::three);

    assertThat(result.changed()).isTrue();
    assertThat(result.published()).isFalse();
    assertThat(topology.snapshot("acme").orElseThrow().stamp()).isEqualTo(result.stamp());
    assertThat(topology.pendingPublications("", 10)).hasSize(1);
    await().until(() -> topology.publication("acme").orElseThrow().attempts() > 3);
    assertThat(topology.publication("acme").orElseThrow().lastError().orElseThrow())
        .contains("the store is down");

    publisher.fail(each -> false);

    awaitQuiet();
    assertThat(found("acme").orElseThrow().stamp()).isEqualTo(result.stamp());
  }

  @Test
  void ofTenChangesWhileTheStoreIsBusyOnlyTheNewestIsPublished() {
    publisher.hold(each -> true);
    topology.close();
    restart(builder().publishWait(Duration.ZERO));
    publisher.hold(each -> true);
    topology.update("acme", CoordinatorFixture::three);
    await().until(() -> publisher.begun.size() == 1);

    UpdateResult newest = topology.update("acme", now -> now.drain("acme-0"));
    for (int i = 3; i < 13; i++) {
      String id = "acme-" + i;
      newest = topology.update("acme", now -> now.add(Member.active(id)));
    }
    assertThat(topology.pendingPublications("", 10)).hasSize(1);
    publisher.release();

    awaitQuiet();
    assertThat(found("acme").orElseThrow().stamp()).isEqualTo(newest.stamp());
    assertThat(publisher.begun).hasSize(2);
  }

  @Test
  void aStoreThatHangsForOneGroupHoldsUpNoOther() {
    topology.close();
    restart(builder().publishWait(Duration.ofSeconds(10)));
    publisher.hold(each -> each.group().equals("slow"));
    CompletableFuture<UpdateResult> slow =
        CompletableFuture.supplyAsync(() -> topology.update("slow", CoordinatorFixture::three));

    assertThat(topology.update("acme", CoordinatorFixture::three).published()).isTrue();
    assertThat(slow).isNotDone();

    publisher.release();
    assertThat(slow.join().published()).isTrue();
  }

  @Test
  void withAConcurrencyOfOnePublicationsNeverOverlap() {
    topology.close();
    restart(builder().publishConcurrency(1).publishWait(Duration.ZERO));
    for (int i = 0; i < 20; i++) {
      topology.update("group-" + i, CoordinatorFixture::three);
    }
    awaitQuiet();

    assertThat(publisher.begun).hasSizeGreaterThanOrEqualTo(20);
    assertThat(publisher.mostAtOnce).hasValue(1);
  }

  @Test
  void aDeletedGroupLeavesATombstoneAndItsVersionsGoOn() {
    topology.update("acme", CoordinatorFixture::three);

    UpdateResult deleted = topology.delete("acme");

    assertThat(deleted.version()).isEqualTo(2);
    assertThat(deleted.published()).isTrue();
    assertThat(found("acme")).contains(new Tombstone("acme", deleted.stamp()));
    assertThat(topology.snapshot("acme")).isEmpty();
    assertThat(topology.delete("acme").changed()).isFalse();
    assertThat(topology.delete("nobody").changed()).isFalse();

    UpdateResult again = topology.update("acme", CoordinatorFixture::three);

    assertThat(again.version()).isEqualTo(3);
    assertThat(again.stamp().isNewerThan(deleted.stamp())).isTrue();
    assertThat(found("acme").orElseThrow().stamp()).isEqualTo(again.stamp());
  }

  @Test
  void attemptsAreTimedByChannel() {
    Set<String> timed = ConcurrentHashMap.newKeySet();
    topology.close();
    restart(
        builder()
            .meters(
                new Meters() {
                  @Override
                  public Counter counter(String name, Map<String, String> tags) {
                    return () -> {};
                  }

                  @Override
                  public Timer timer(String name, Map<String, String> tags) {
                    return nanos -> timed.add(tags.get("channel"));
                  }
                }));

    topology.update("acme", now -> three(now).set(limits, new Limits(1)));

    await()
        .untilAsserted(
            () -> assertThat(timed).contains("waymark.topology", "waymark.topology.limits"));
  }

  // ---- stores that cannot compare stamps -------------------------------------------------------

  private SnapshotPublisher overwriting() {
    return SnapshotPublisher.overwriting(last::put);
  }

  private TopologyCoordinatorBuilder overwritingBuilder(ControlledPublisher controlled) {
    publisher = controlled;
    return TopologyCoordinator.builder(store)
        .publisher(controlled)
        .backoff(Fast.BACKOFF)
        .attemptTimeout(SHORT)
        .publishWait(Duration.ofMillis(800));
  }

  private void overwrite() {
    topology.close();
    restart(overwritingBuilder(new ControlledPublisher(overwriting())));
  }

  private long records() {
    return database.number("SELECT count(*) FROM waymark_topology_write");
  }

  /** Moves the landing deadlines, and what waits for them, into the past. */
  private void passDeadlines() {
    database.execute("UPDATE waymark_topology_write SET lands_until = lands_until - 400000000");
    database.execute(
        "UPDATE waymark_outbox SET due_at = due_at - 400000000"
            + " WHERE channel = 'waymark.topology' AND claim_token IS NULL AND due_at IS NOT NULL");
    StoreSeams.wake(store);
  }

  private boolean isStored(UpdateResult result) {
    String text = last.get("acme");
    return text != null && text.contains("\"version\":" + result.version() + ",");
  }

  @Test
  void overAnOverwritingStoreAWriteHasARecordForAsLongAsItIsUnderWay() {
    overwrite();
    publisher.fail(
        each -> {
          recordWasThere = records() == 1;
          return false;
        });

    assertThat(topology.update("acme", CoordinatorFixture::three).published()).isTrue();

    assertThat(recordWasThere).isTrue();
    assertThat(records()).isZero();
  }

  @Test
  void whileAnOlderWriteMayLandANewerOneIsNotFinalAndIsWrittenAgainAtItsDeadline() {
    overwrite();
    publisher.fail(each -> each.stamp().version() == 1); // one that may land or not
    UpdateResult uncertain = topology.update("acme", CoordinatorFixture::three);
    assertThat(uncertain.published()).isFalse();
    publisher.fail(each -> false);

    UpdateResult newer = topology.update("acme", now -> now.drain("acme-0"));

    assertThat(newer.published()).isFalse();
    assertThat(isStored(newer)).isTrue();
    assertThat(records()).isPositive();
    last.put("acme", "the older one has landed");

    passDeadlines();

    await().until(() -> isStored(newer));
    awaitQuiet();
    assertThat(records()).isZero();
  }

  @Test
  void aWriteThatWasCertainlyNotSentLeavesNoRecord() {
    overwrite();
    publisher.refuse(each -> each.stamp().version() == 1);
    assertThat(topology.update("acme", CoordinatorFixture::three).published()).isFalse();
    publisher.refuse(each -> false);

    UpdateResult newer = topology.update("acme", now -> now.drain("acme-0"));

    assertThat(newer.published()).isTrue();
    assertThat(records()).isZero();
  }

  @Test
  void aDeadlineFromBeforeTheClockWasSetBackComesInTime() {
    overwrite();
    publisher.fail(each -> each.stamp().version() == 1);
    topology.update("acme", CoordinatorFixture::three);
    database.execute("UPDATE waymark_topology_write SET lands_until = lands_until + 7200000000");
    publisher.fail(each -> false);

    topology.update("acme", now -> now.drain("acme-0"));
    passDeadlines();

    awaitQuiet();
    assertThat(records()).isZero();
  }

  @Test
  void aWriteThatAProcessDiedInIsRememberedByTheNext() {
    overwrite();
    ControlledPublisher died = publisher;
    died.hold(each -> true);
    topology.update("acme", CoordinatorFixture::three);
    await().until(() -> !died.begun.isEmpty());
    reopen();
    assertThat(records()).isPositive();
    restart(overwritingBuilder(new ControlledPublisher(overwriting())));

    UpdateResult newer = topology.update("acme", now -> now.drain("acme-0"));

    assertThat(newer.published()).isFalse();
    await().until(() -> isStored(newer));
    died.release(); // it lands though its process is gone
    passDeadlines();
    await().until(() -> isStored(newer));
    awaitQuiet();
  }

  @Test
  void aWriteThatWasGivenUpAndLandsIsRepairedAtOnce() {
    overwrite();
    publisher.hold(each -> each.stamp().version() == 1);
    topology.update("acme", CoordinatorFixture::three);
    publisher.holdNoMore();
    UpdateResult newer = topology.update("acme", now -> now.drain("acme-0"));
    await().until(() -> isStored(newer));

    publisher.release();

    await()
        .untilAsserted(
            () -> {
              assertThat(isStored(newer)).isTrue();
              assertThat(topology.publication("acme").orElseThrow().pending()).isFalse();
            });
    assertThat(publisher.begun).extracting(Published::stamp).contains(newer.stamp());
  }
}
