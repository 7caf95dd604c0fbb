package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.topology.Member;
import io.waymark.topology.Tombstone;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How groups come to be in the store of snapshots. */
abstract class PublishingContract extends CoordinatorFixture {
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
}
