package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.Decision;
import io.waymark.core.Operation;
import io.waymark.core.Role;
import io.waymark.core.Selectors;
import io.waymark.core.Tried;
import io.waymark.testing.SettableTicker;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The decision table, without servers. */
class ReplicaSetDeciderTest {
  private static final History HISTORY = new History(Views.FIRST, 1);
  private static final Floor NO_DEMAND = new Floor(Views.nothingSeen(), null, true);
  private static final Floor AT_100 =
      new Floor(Views.nothingSeen(), new Token(HISTORY, 100, 7), true);
  private static final Floor UNRESOLVED = new Floor(Views.nothingSeen(), null, false);

  private ReplicaSetView view = view(2);
  private ReplicaSetDecider decider = decider(2, Fallback.PRIMARY);

  private static ReplicaSetView view(int replicas) {
    ReplicaSetView view =
        ReplicaSetView.of(Views.endpoints(Views.builder(replicas, new SettableTicker(1)).config()));
    view = view.with(view.primary().endpoint(), Views.primary(Views.FIRST, 1, 500, 1));
    for (Node node : view.replicas()) {
      view = view.with(node.endpoint(), replay(500));
    }
    return view;
  }

  private static Sighting replay(long lsn) {
    return Views.standby(Views.SECOND, 1, lsn, Set.of(), 1);
  }

  private static ReplicaSetDecider decider(int replicas, Fallback fallback) {
    return decider(replicas, r -> r.fallback(fallback));
  }

  private static ReplicaSetDecider decider(int replicas, Consumer<RoutingBuilder> routing) {
    SettableTicker ticker = new SettableTicker(1);
    WaymarkDataSourceConfig config = Views.builder(replicas, ticker).routing(routing).config();
    return new ReplicaSetDecider(
        config.routing(),
        config.single(),
        new ReplicaRules(config.routing(), ticker),
        Selectors::roundRobin);
  }

  private String decide(Operation operation, @Nullable Role forced, Floor floor, Tried tried) {
    return text(decider.decide(new RouteRequest(operation, forced, false), floor.in(view), tried));
  }

  private String read(Floor floor) {
    return decide(Operation.READ, null, floor, Tried.NOTHING);
  }

  private static String text(Decision<Node> decision) {
    if (decision instanceof Decision.Chosen<Node> chosen) {
      return chosen.member() + " " + chosen.reasonText();
    }
    if (decision instanceof Decision.NeedsEvidence<Node> needs) {
      return "ask " + needs.member();
    }
    return "refused " + ((Decision.Refused<Node>) decision).reason().text("");
  }

  private void see(int ordinal, Sighting sighting) {
    view = view.with(view.nodes().get(ordinal).endpoint(), sighting);
  }

  private void openCircuit(int ordinal) {
    view.nodes().get(ordinal).vitals().circuit().failed();
    view.nodes().get(ordinal).vitals().circuit().failed();
    view = view.opened(view.nodes().get(ordinal).endpoint(), "a test");
  }

  @ParameterizedTest
  @CsvSource({
    "READ, , replica-1 auto:replica-1",
    "READ, PRIMARY, primary constraint:primary",
    "READ, REPLICA, replica-1 constraint:replica",
    "WRITE, , primary primary-required",
    "WRITE, PRIMARY, primary constraint:primary",
    "WRITE, REPLICA, refused constraint:replica",
    "TX, , primary primary-required",
    "TX, PRIMARY, primary constraint:primary",
    "TX, REPLICA, refused constraint:replica",
    "LOCK, , primary primary-required",
    "LOCK, PRIMARY, primary constraint:primary",
    "LOCK, REPLICA, refused constraint:replica",
  })
  void operationAndForcedRoleDecide(Operation operation, @Nullable Role forced, String expected) {
    assertThat(decide(operation, forced, NO_DEMAND, Tried.NOTHING)).isEqualTo(expected);
  }

  @Test
  void aSerializableReadNeedsThePrimaryUnlessAReplicaIsForced() {
    assertThat(
            text(
                decider.decide(
                    new RouteRequest(Operation.READ, null, true),
                    NO_DEMAND.in(view),
                    Tried.NOTHING)))
        .isEqualTo("primary primary-required");
    assertThat(
            text(
                decider.decide(
                    new RouteRequest(Operation.READ, Role.REPLICA, true),
                    NO_DEMAND.in(view),
                    Tried.NOTHING)))
        .isEqualTo("replica-1 constraint:replica");
  }

  @Test
  void aReplicaThatCoversTheTokenServesFromWhatIsKnown() {
    see(1, replay(99));

    assertThat(read(AT_100)).isEqualTo("replica-2 auto:replica-2");
  }

  @Test
  void aCommittedTransactionCoversAsWellAsThePosition() {
    see(1, Views.standby(Views.SECOND, 1, 99, Set.of(7L), 1));
    see(2, replay(99));

    assertThat(read(AT_100)).isEqualTo("replica-1 auto:replica-1");
  }

  @Test
  void oneThatIsBehindIsAskedOnceThenTheNextThenThePrimaryReads() {
    see(1, replay(99));
    see(2, replay(98));
    Tried tried = Tried.NOTHING;

    String first = decide(Operation.READ, null, AT_100, tried);
    assertThat(first).startsWith("ask replica-");
    tried = tried.asked(view.nodes().get(first.endsWith("1") ? 1 : 2));
    String second = decide(Operation.READ, null, AT_100, tried);
    assertThat(second).startsWith("ask replica-").isNotEqualTo(first);
    tried = tried.asked(view.nodes().get(second.endsWith("1") ? 1 : 2));

    assertThat(decide(Operation.READ, null, AT_100, tried)).isEqualTo("primary fallback:behind");
    assertThat(decide(Operation.READ, Role.REPLICA, AT_100, tried))
        .isEqualTo("refused fallback:behind");
    decider = decider(2, Fallback.ERROR);
    assertThat(decide(Operation.READ, null, AT_100, tried)).isEqualTo("refused fallback:behind");
  }

  @Test
  void anUnresolvedSessionAsksThePrimaryFirst() {
    assertThat(read(UNRESOLVED)).isEqualTo("ask primary");

    Tried asked = Tried.NOTHING.asked(view.primary());
    assertThat(decide(Operation.READ, null, UNRESOLVED, asked))
        .isEqualTo("primary fallback:position-unknown");
    assertThat(decide(Operation.READ, Role.REPLICA, UNRESOLVED, asked))
        .isEqualTo("refused fallback:position-unknown");
    assertThat(decide(Operation.READ, Role.PRIMARY, UNRESOLVED, Tried.NOTHING))
        .isEqualTo("primary constraint:primary");
    assertThat(decide(Operation.WRITE, null, UNRESOLVED, Tried.NOTHING))
        .isEqualTo("primary primary-required");
  }

  @Test
  void openCircuitsKeepReadsAway() {
    openCircuit(1);
    assertThat(read(NO_DEMAND)).isEqualTo("replica-2 auto:replica-2");

    openCircuit(2);
    assertThat(read(NO_DEMAND)).isEqualTo("primary fallback:unhealthy");
    assertThat(decide(Operation.READ, Role.REPLICA, NO_DEMAND, Tried.NOTHING))
        .isEqualTo("refused fallback:unhealthy");
  }

  @Test
  void failedMembersAreNotTriedAgainAndThePrimaryIsTheLast() {
    view = view(4);
    decider = decider(4, Fallback.PRIMARY);
    Tried tried = Tried.NOTHING.failed(view.nodes().get(1));

    assertThat(decide(Operation.READ, null, NO_DEMAND, tried))
        .isEqualTo("replica-2 auto:replica-2");

    tried = tried.failed(view.nodes().get(2));
    assertThat(decide(Operation.READ, null, NO_DEMAND, tried))
        .isEqualTo("primary fallback:unhealthy");
    assertThat(decide(Operation.READ, Role.REPLICA, NO_DEMAND, tried))
        .isEqualTo("replica-3 constraint:replica");
    decider = decider(4, Fallback.ERROR);
    assertThat(decide(Operation.READ, null, NO_DEMAND, tried))
        .isEqualTo("replica-1 auto:replica-1".replace('1', '3'));
  }

  @Test
  void aForcedPrimaryIsNeverLeft() {
    Tried failed = Tried.NOTHING.failed(view.primary());

    assertThat(decide(Operation.READ, Role.PRIMARY, NO_DEMAND, failed)).startsWith("refused");
  }

  @ParameterizedTest
  @CsvSource({"primary-like, not a standby", "foreign, another cluster", "older, another history"})
  void whatIsNoReplicaOfThisPrimaryMayNotServe(String kind, String why) {
    see(
        1,
        switch (kind) {
          case "primary-like" -> Views.primary(Views.SECOND, 1, 500, 1);
          case "foreign" -> Views.standby(Views.FOREIGN, 1, 500, Set.of(), 1);
          default -> replay(500);
        });
    if (kind.equals("older")) {
      see(0, Views.promoted(Views.FIRST, 2, 400, 600, 1));
      see(2, Views.standby(Views.SECOND, 2, 600, Set.of(), 1));
    }

    assertThat(view.ineligible(view.nodes().get(1))).isEqualTo(why);
    assertThat(read(NO_DEMAND)).isEqualTo("replica-2 auto:replica-2");
  }

  @Test
  void aReplicaThatWasNotSeenYetMayNotServe() {
    ReplicaSetView fresh =
        ReplicaSetView.of(Views.endpoints(Views.builder(1, new SettableTicker(1)).config()));

    assertThat(fresh.ineligible(fresh.nodes().get(1))).isEqualTo("not reached yet");
    assertThat(fresh.eligible().count()).isZero();
  }

  @Test
  void aPrimaryThatIsAStandbyIsAskedAndThenTakesNoWrites() {
    see(0, Views.standby(Views.FIRST, 1, 500, Set.of(), 1));

    assertThat(decide(Operation.WRITE, null, NO_DEMAND, Tried.NOTHING)).isEqualTo("ask primary");
    assertThat(decide(Operation.TX, null, NO_DEMAND, Tried.NOTHING.asked(view.primary())))
        .isEqualTo("refused no-primary");
    assertThat(read(NO_DEMAND)).isEqualTo("replica-1 auto:replica-1");
  }

  @Test
  void aPrimaryWithARivalTakesNeitherWritesNorReads() {
    see(1, Views.primary(Views.SECOND, 2, 500, 1));
    see(2, Views.standby(new ServerInstance(8, 1, "c", 1), 1, 500, Set.of(), 1));

    assertThat(view.withoutPrimary()).contains("replica-1", "timeline 2");
    Tried asked = Tried.NOTHING.asked(view.primary());
    assertThat(decide(Operation.WRITE, null, NO_DEMAND, asked)).isEqualTo("refused no-primary");
    assertThat(decide(Operation.READ, null, NO_DEMAND, asked)).isEqualTo("refused no-primary");
  }

  @Test
  void aPrimaryOfAnOlderTimelineIsNoRival() {
    see(0, Views.primary(Views.FIRST, 2, 500, 1));
    see(1, Views.primary(Views.SECOND, 1, 900, 1));

    assertThat(view.withoutPrimary()).isNull();
    assertThat(view.ineligible(view.nodes().get(1))).isEqualTo("not a standby");
  }

  @Test
  void withoutReplicasEveryReadIsAFallback() {
    view = view(0);
    decider = decider(0, Fallback.PRIMARY);

    assertThat(read(NO_DEMAND)).isEqualTo("primary fallback:no-replicas");
    assertThat(decide(Operation.READ, Role.REPLICA, NO_DEMAND, Tried.NOTHING))
        .isEqualTo("refused fallback:no-replicas");
  }

  @Test
  void theLagCeilingCountsInBytesFromThePrimarysPosition() {
    decider = decider(2, r -> r.maxLagBytes(100));
    see(1, replay(399));
    see(2, replay(400));

    assertThat(read(NO_DEMAND)).isEqualTo("replica-2 auto:replica-2");
  }

  @Test
  void whereThePrimarysPositionIsUnknownSoIsTheLag() {
    decider = decider(1, r -> r.maxLagBytes(1L << 40));
    view = view(1);
    see(0, Views.primary(Views.FIRST, 1, Lsn.NONE, 1));

    assertThat(read(NO_DEMAND)).isEqualTo("primary fallback:behind");
  }

  @Test
  void previewSaysTheSameAndMovesNothing() {
    RouteRequest request = new RouteRequest(Operation.READ, null, false);
    for (int i = 0; i < 6; i++) {
      String preview = text(decider.preview(request, NO_DEMAND.in(view), Tried.NOTHING));
      assertThat(text(decider.preview(request, NO_DEMAND.in(view), Tried.NOTHING)))
          .isEqualTo(preview);
      assertThat(text(decider.decide(request, NO_DEMAND.in(view), Tried.NOTHING)))
          .isEqualTo(preview);
    }
  }

  @Test
  void lagIsUnknownOnceThePrimarysPositionIsOlderThanTwoProbes() {
    SettableTicker ticker = new SettableTicker(0);
    WaymarkDataSourceConfig config =
        Views.builder(2, ticker).routing(r -> r.probe("1s").maxLagBytes(1L << 40)).config();
    ReplicaRules rules = new ReplicaRules(config.routing(), ticker);
    decider =
        new ReplicaSetDecider(config.routing(), config.single(), rules, Selectors::roundRobin);

    ticker.advance(Duration.ofSeconds(2));
    assertThat(read(NO_DEMAND)).isEqualTo("replica-1 auto:replica-1");
    assertThat(rules.lagBytes(view.nodes().get(1), view)).isZero();

    ticker.advance(Duration.ofNanos(1));
    assertThat(read(NO_DEMAND)).isEqualTo("primary fallback:behind");
    assertThat(rules.lagBytes(view.nodes().get(1), view)).as("unknown").isNegative();
  }

  @Test
  void aSightingReplacesTheOneBeforeAlsoDownwards() {
    assertThat(read(AT_100)).startsWith("replica-1");

    see(1, replay(60));

    assertThat(decide(Operation.READ, null, AT_100, Tried.NOTHING.asked(view.nodes().get(1))))
        .isEqualTo("replica-2 auto:replica-2");
  }
}
