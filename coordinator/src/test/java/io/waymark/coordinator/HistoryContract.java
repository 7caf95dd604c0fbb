package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Member;
import io.waymark.topology.Published;
import io.waymark.topology.Stamp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a coordinator does when its database, or the store of snapshots, has lost something. */
abstract class HistoryContract extends CoordinatorFixture {
  private GroupSnapshot issued(long epoch, long version) {
    return new GroupSnapshot(
        "acme",
        new Stamp(topology.authority(), epoch, version),
        List.of(Member.active("of-" + version)));
  }

  private Stamp stamp(String group) {
    return found(group).map(Published::stamp).orElseThrow();
  }

  @Test
  void aStampThatWasNeverIssuedRaisesTheEpochAndIsReplaced() {
    topology.update("other", now -> three(now).set(limits, new Limits(1)));
    topology.update("acme", CoordinatorFixture::three);
    awaitQuiet();
    snapshots.publisher().write(issued(1, 9)); // as if versions up to 9 were lost

    UpdateResult result = topology.update("acme", now -> now.drain("acme-0"));

    await().untilAsserted(() -> assertThat(stamp("acme").epoch()).isEqualTo(2));
    awaitQuiet();
    assertThat(stamp("acme").version()).isEqualTo(result.version());
    assertThat(foundMembers("acme")).containsExactly("acme-0", "acme-1", "acme-2");
    await().untilAsserted(() -> assertThat(stamp("other").epoch()).isEqualTo(2));
    awaitQuiet();
    assertThat(shards.arrivals("other-0")).extracting(each -> each.stamp().epoch()).contains(2L);
    assertThat(events)
        .contains(new CoordinatorEvent.NeverIssued("acme", new Stamp(topology.authority(), 1, 9)));
  }

  @Test
  void anotherHistoryOfTheDatabaseRaisesTheEpochAtTheNextUpdate() {
    topology.update("other", CoordinatorFixture::three);
    awaitQuiet();
    database.execute("UPDATE waymark_topology_authority SET history = 'another'");

    UpdateResult result = topology.update("acme", CoordinatorFixture::three);

    assertThat(result.stamp().epoch()).isEqualTo(2);
    await().untilAsserted(() -> assertThat(stamp("other").epoch()).isEqualTo(2));
    assertThat(topology.update("acme", now -> now.drain("acme-0")).stamp().epoch()).isEqualTo(2);
  }

  @Test
  void theEpochIsRaisedByHand() {
    topology.update("acme", CoordinatorFixture::three);

    assertThat(topology.raiseEpoch()).isEqualTo(2);

    await().untilAsserted(() -> assertThat(stamp("acme").epoch()).isEqualTo(2));
    assertThat(stamp("acme").version()).isEqualTo(1);
  }

  @Test
  void aGroupThatCannotBeReadHoldsUpNoOtherWhenTheEpochIsRaised() {
    topology.update("broken", CoordinatorFixture::three);
    topology.update("other", CoordinatorFixture::three);
    database.execute("UPDATE waymark_topology_member SET state = '?' WHERE id = 'broken-1'");

    topology.raiseEpoch();

    await().untilAsserted(() -> assertThat(stamp("other").epoch()).isEqualTo(2));
    database.execute("UPDATE waymark_topology_member SET state = 'active' WHERE id = 'broken-1'");
    await().untilAsserted(() -> assertThat(stamp("broken").epoch()).isEqualTo(2));
  }

  @Test
  void theEpochOutranksTheVersion() {
    topology.update("acme", CoordinatorFixture::three);
    topology.update("acme", now -> now.drain("acme-0"));
    topology.raiseEpoch();
    await().untilAsserted(() -> assertThat(stamp("acme").epoch()).isEqualTo(2));

    assertThat(snapshots.publisher().write(issued(1, 99)).isApplied()).isFalse();
    assertThat(stamp("acme").epoch()).isEqualTo(2);
  }

  @Test
  void whatTheStoreForgotIsPublishedAgain() {
    for (String group : List.of("a", "b", "c")) {
      topology.update(group, CoordinatorFixture::three);
    }
    topology.delete("b");
    awaitQuiet();

    snapshots.forget();

    await()
        .untilAsserted(
            () -> {
              for (String group : List.of("a", "b", "c")) {
                assertThat(found(group)).as(group).isPresent();
              }
            });
    assertThat(stamp("b").version()).isEqualTo(2);
  }

  @Test
  void whatTheStoreForgotWhileNobodyWasThereIsPublishedAgainAtTheStart() {
    topology.update("acme", CoordinatorFixture::three);
    awaitQuiet();
    reopen();
    snapshots.forget();

    restart(builder());

    await().untilAsserted(() -> assertThat(found("acme")).isPresent());
  }

  @Test
  void aGroupThatTheDatabaseDoesNotKnowIsReported() {
    snapshots.publisher().write(issued(1, 4));
    topology.close();

    restart(builder());

    await()
        .untilAsserted(
            () ->
                assertThat(events)
                    .contains(
                        new CoordinatorEvent.Orphan(
                            "acme", new Stamp(topology.authority(), 1, 4))));
    assertThat(found("acme")).contains(issued(1, 4));
  }

  @Test
  void aGroupOfAnotherAuthorityIsReplacedOnlyWhenThatIsAskedFor() {
    GroupSnapshot foreign =
        new GroupSnapshot("acme", new Stamp("elsewhere", 7, 70), List.of(Member.active("theirs")));
    snapshots.publisher().write(foreign);

    UpdateResult refused = topology.update("acme", CoordinatorFixture::three);

    assertThat(refused.published()).isFalse();
    assertThat(found("acme")).contains(foreign);
    assertThat(topology.publication("acme").orElseThrow().lastError().orElseThrow())
        .contains("WM2205")
        .contains("takeOver");
    assertThat(events).contains(new CoordinatorEvent.Foreign("acme", foreign.stamp()));

    UpdateResult taken = topology.takeOver("acme");

    assertThat(taken.published()).isTrue();
    assertThat(taken.stamp().epoch()).isEqualTo(2);
    assertThat(stamp("acme")).isEqualTo(taken.stamp());
  }

  @Test
  void aGroupThatWasLeftToAnotherAuthorityIsNotTakenBack() {
    topology.update("acme", CoordinatorFixture::three);
    GroupSnapshot theirs =
        new GroupSnapshot("acme", new Stamp("elsewhere", 1, 1), List.of(Member.active("theirs")));
    snapshots.publisher().replace(stamp("acme"), theirs);

    UpdateResult deleted = topology.delete("acme");

    assertThat(deleted.published()).isTrue();
    assertThat(found("acme")).contains(theirs);
  }

  @Test
  void aGroupThatIsNotHereIsNotTakenOver() {
    GroupSnapshot theirs =
        new GroupSnapshot("acme", new Stamp("elsewhere", 1, 1), List.of(Member.active("theirs")));
    snapshots.publisher().write(theirs);

    assertThat(topology.takeOver("acme").changed()).isFalse();
    topology.update("acme", CoordinatorFixture::three);
    topology.delete("acme");

    assertThat(topology.takeOver("acme").changed()).isFalse();
    awaitQuiet();
    assertThat(found("acme")).contains(theirs);
  }

  @Test
  void anotherAuthorityThanTheDatabasesIsRefused() {
    topology.close();

    assertThatThrownBy(() -> builder().authority("somebody-else").build())
        .isInstanceOf(CoordinatorException.class)
        .hasMessageContaining("WM2202")
        .hasMessageContaining(topology.authority());
    assertThat(publisher.closed).isFalse();

    restart(builder().authority(topology.authority()));
    assertThat(topology.update("acme", CoordinatorFixture::three).published()).isTrue();
  }
}
