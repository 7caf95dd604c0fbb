package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.topology.Member;
import io.waymark.topology.MemberState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How members come and go where the coordinator sees to it. */
abstract class LifecycleContract extends CoordinatorFixture {
  private MemberState state(String member) {
    return topology.snapshot("acme").orElseThrow().member(member).orElseThrow().state();
  }

  @Test
  void aJoiningMemberBecomesActiveWhenItHasConfirmedItsValues() {
    topology.close();
    restart(builder().confirmJoining(true));
    topology.update("acme", now -> three(now).set(limits, new Limits(1)));
    awaitQuiet();
    shards.breakOne("acme-3");

    topology.update("acme", now -> now.add(Member.joining("acme-3")));

    await().until(() -> topology.delivery(limits, "acme", "acme-3").orElseThrow().attempts() > 2);
    assertThat(state("acme-3")).isEqualTo(MemberState.JOINING);

    shards.mend("acme-3");

    await().until(() -> state("acme-3") == MemberState.ACTIVE);
    assertThat(shards.of("acme-3")).isEqualTo(new Limits(1));
    awaitQuiet();
    assertThat(shards.arrivals("acme-3")).hasSize(1);
    assertThat(foundMembers("acme")).contains("acme-3");
  }

  @Test
  void aJoiningMemberOfAGroupWithoutValuesBecomesActiveAtOnce() {
    topology.close();
    restart(builder().confirmJoining(true));

    topology.update("acme", now -> three(now).add(Member.joining("acme-3")));

    await().until(() -> state("acme-3") == MemberState.ACTIVE);
  }

  @Test
  void withoutThatAJoiningMemberStaysJoiningAndIsToldNothing() {
    topology.update(
        "acme", now -> three(now).add(Member.joining("acme-3")).set(limits, new Limits(1)));
    awaitQuiet();

    assertThat(state("acme-3")).isEqualTo(MemberState.JOINING);
    assertThat(shards.arrivals("acme-3")).isEmpty();
  }

  @Test
  void aDrainingMemberIsRemovedByItsSecondReportThatItIsEmpty() {
    topology.close();
    restart(builder().removeWhenEmpty(Duration.ZERO));
    topology.update("acme", CoordinatorFixture::three);

    assertThat(topology.reportEmpty("acme", "acme-1")).isEqualTo(EmptyReport.IGNORED);
    topology.update("acme", now -> now.drain("acme-1"));
    assertThat(topology.reportEmpty("acme", "acme-1")).isEqualTo(EmptyReport.RECORDED);
    topology.reportHolding("acme", "acme-1");
    assertThat(topology.reportEmpty("acme", "acme-1")).isEqualTo(EmptyReport.RECORDED);
    assertThat(topology.reportEmpty("acme", "acme-1")).isEqualTo(EmptyReport.REMOVED);

    assertThat(topology.snapshot("acme").orElseThrow().member("acme-1")).isEmpty();
    assertThat(topology.reportEmpty("acme", "acme-1")).isEqualTo(EmptyReport.IGNORED);
  }

  @Test
  void aMemberThatHoldsSomethingAfterAllIsNotRemovedByAReportThatIsBeingDecided() {
    topology.close();
    restart(builder().removeWhenEmpty(Duration.ZERO));
    topology.update("acme", now -> three(now).drain("acme-1"));
    topology.reportEmpty("acme", "acme-1");
    long before = changes();

    topology.reportHolding("acme", "acme-1");
    topology.reportHolding("acme", "acme-1");

    assertThat(changes()).isEqualTo(before + 1); // what a removal compares, changed by the first
    assertThat(topology.reportEmpty("acme", "acme-1")).isEqualTo(EmptyReport.RECORDED);
  }

  private long changes() {
    return database.number("SELECT changes FROM waymark_topology_group WHERE name = 'acme'");
  }

  @Test
  void aReportCountsForNothingOnceTheMemberWasActiveAgain() {
    topology.close();
    restart(builder().removeWhenEmpty(Duration.ZERO));
    topology.update("acme", now -> three(now).drain("acme-1"));
    topology.reportEmpty("acme", "acme-1");

    topology.update("acme", now -> now.activate("acme-1"));
    topology.update("acme", now -> now.drain("acme-1"));

    assertThat(topology.reportEmpty("acme", "acme-1")).isEqualTo(EmptyReport.RECORDED);
  }

  @Test
  void twoReportsInARowProveNothing() {
    topology.close();
    restart(builder().removeWhenEmpty(true));
    topology.update("acme", now -> three(now).drain("acme-1"));

    topology.reportEmpty("acme", "acme-1");

    assertThat(topology.reportEmpty("acme", "acme-1")).isEqualTo(EmptyReport.RECORDED);
    assertThat(state("acme-1")).isEqualTo(MemberState.DRAINING);
  }

  @Test
  void aReportFromBeforeTheClockWasSetBackIsTheFirstOneAgain() {
    topology.close();
    restart(builder().removeWhenEmpty(Duration.ZERO));
    topology.update("acme", now -> three(now).drain("acme-1"));
    topology.reportEmpty("acme", "acme-1");
    database.execute(
        "UPDATE waymark_topology_member SET empty_since = empty_since + 7200000000"
            + " WHERE empty_since IS NOT NULL");

    assertThat(topology.reportEmpty("acme", "acme-1")).isEqualTo(EmptyReport.RECORDED);
    assertThat(topology.reportEmpty("acme", "acme-1")).isEqualTo(EmptyReport.REMOVED);
  }

  @Test
  void theLastMemberIsKept() {
    topology.close();
    restart(builder().removeWhenEmpty(Duration.ZERO));
    topology.update("acme", now -> now.add(Member.draining("only")));
    topology.reportEmpty("acme", "only");

    assertThat(topology.reportEmpty("acme", "only")).isEqualTo(EmptyReport.LAST);
    assertThat(topology.snapshot("acme")).isPresent();
  }

  @Test
  void reportsAreRefusedWhereNobodyIsRemoved() {
    assertThatThrownBy(() -> topology.reportEmpty("acme", "acme-1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("removeWhenEmpty");
  }
}
