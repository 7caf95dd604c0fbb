package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Decision;
import io.waymark.core.Operation;
import io.waymark.core.Role;
import io.waymark.core.RouteDecision.PassedOver;
import io.waymark.core.Selectors;
import io.waymark.core.Tried;
import io.waymark.testing.SettableTicker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replicas in the caller's zone are preferred, and nobody waits for them in vain. */
class ZoneTest {
  /** The decision, without servers: replicas 1 and 2 are near, 3 and 4 are far. */
  @Nested
  class Decisions {
    private static final Floor NO_DEMAND = new Floor(Views.nothingSeen(), null, true);
    private static final Floor AT_100 =
        new Floor(Views.nothingSeen(), new Token(new History(Views.FIRST, 1), 100, 7), true);

    private final SettableTicker ticker = new SettableTicker(1);
    private final WaymarkDataSourceConfig config =
        WaymarkDataSource.builder()
            .ticker(ticker)
            .primary("jdbc:postgresql://a/app")
            .replica(r -> r.url("jdbc:postgresql://b/app").zone("here"))
            .replica(r -> r.url("jdbc:postgresql://c/app").zone("here"))
            .replica(r -> r.url("jdbc:postgresql://d/app").zone("there"))
            .replica("jdbc:postgresql://e/app")
            .routing(r -> r.zone("here"))
            .config();
    private final ReplicaSetDecider decider =
        new ReplicaSetDecider(
            config.routing(),
            false,
            new ReplicaRules(config.routing(), ticker),
            Selectors::weighted);
    private ReplicaSetView view =
        ReplicaSetView.of(Views.endpoints(config), config.routing().zone());

    @BeforeEach
    void seeAll() {
      see(0, Views.primary(Views.FIRST, 1, 500, 1));
      for (int replica = 1; replica <= 4; replica++) {
        replays(replica, 500);
      }
    }

    private void see(int ordinal, Sighting sighting) {
      view = view.with(view.nodes().get(ordinal).endpoint(), sighting);
    }

    private void replays(int replica, long lsn) {
      see(replica, Views.standby(Views.SECOND, 1, lsn, Set.of(), 1));
    }

    /** It was asked for more than it had. */
    private void wasShort(int replica, long lsn, long missedBy) {
      see(replica, Views.shortBy(Views.SECOND, 1, lsn, missedBy));
    }

    private String decide(@Nullable Role forced, Floor floor, Tried tried) {
      Decision<Node> decision =
          decider.decide(new RouteRequest(Operation.READ, forced, false), floor.in(view), tried);
      if (decision instanceof Decision.Chosen<Node> chosen) {
        return chosen.member().name();
      }
      return decision instanceof Decision.NeedsEvidence<Node> needs
          ? "ask " + needs.member()
          : "refused";
    }

    private List<String> reads(int count) {
      List<String> served = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        served.add(decide(null, NO_DEMAND, Tried.NOTHING));
      }
      return served;
    }

    private void openCircuit(int replica) {
      Node node = view.nodes().get(replica);
      node.vitals().circuit().failed();
      node.vitals().circuit().failed();
      view = view.opened(node.endpoint(), "a test");
    }

    @Test
    void theNearTakeTurnsAndTheFarServeWhereNoneOfThemMay() {
      assertThat(reads(4)).containsExactly("replica-1", "replica-2", "replica-1", "replica-2");
      assertThat(decide(Role.REPLICA, NO_DEMAND, Tried.NOTHING)).isEqualTo("replica-1");

      openCircuit(1);
      assertThat(reads(2)).containsOnly("replica-2");

      openCircuit(2);
      assertThat(reads(4)).containsExactly("replica-3", "replica-4", "replica-3", "replica-4");
      assertThat(decide(Role.REPLICA, NO_DEMAND, Tried.NOTHING)).isEqualTo("replica-3");
    }

    @Test
    void whoFailedThisReadIsLeftOutAlsoWhereItIsNear() {
      Tried one = Tried.NOTHING.failed(view.nodes().get(1));

      assertThat(decide(Role.REPLICA, NO_DEMAND, one)).isEqualTo("replica-2");
      assertThat(decide(Role.REPLICA, NO_DEMAND, one.failed(view.nodes().get(2))))
          .isEqualTo("replica-3");
    }

    @Test
    void theNearAreAskedForEvidenceBeforeTheFarServe() {
      replays(1, 99);
      replays(2, 98);
      Tried tried = Tried.NOTHING;

      assertThat(decide(null, AT_100, tried)).isEqualTo("ask replica-1");
      tried = tried.asked(view.nodes().get(1));
      wasShort(1, 99, 1);
      assertThat(decide(null, AT_100, tried)).isEqualTo("ask replica-2");
      tried = tried.asked(view.nodes().get(2));
      wasShort(2, 98, 2);

      assertThat(decide(null, AT_100, tried)).isEqualTo("replica-3");
    }

    @Test
    void aNearReplicaThatWasShortIsNotAskedAgainWhereAFarOneMayServe() {
      wasShort(1, 90, 10);
      wasShort(2, 90, 10);

      assertThat(decide(null, AT_100, Tried.NOTHING)).isEqualTo("replica-3");
      assertThat(decide(null, AT_100, Tried.NOTHING)).as("its turn").isEqualTo("replica-4");
    }

    @Test
    void whereTheFarMustBeAskedTooTheyComeBeforeTheNearThatWereShort() {
      wasShort(1, 90, 10);
      wasShort(2, 80, 20);
      replays(3, 95);
      replays(4, 95);
      Tried tried = Tried.NOTHING;

      assertThat(decide(null, AT_100, tried)).isEqualTo("ask replica-3");
      tried = tried.asked(view.nodes().get(3)).asked(view.nodes().get(4));
      assertThat(decide(null, AT_100, tried)).isEqualTo("ask replica-1");
    }

    @Test
    void aNearReplicaInSlowStartIsOneOfAllUntilItIsWarm() {
      openCircuit(2);
      openCircuit(1);
      view.nodes().get(1).vitals().circuit().trialSucceeded();
      replays(1, 500);

      assertThat(view.near().count()).isZero();
      assertThat(reads(30)).contains("replica-3", "replica-4");

      ticker.advance(Duration.ofSeconds(11));
      replays(1, 501);
      assertThat(reads(4)).containsOnly("replica-1");
    }

    @Test
    void withoutAZoneOfTheCallersAllAreEquallyNear() {
      view = ReplicaSetView.of(Views.endpoints(config));
      seeAll();

      assertThat(reads(4)).containsExactly("replica-1", "replica-2", "replica-3", "replica-4");
    }
  }

  /** The same on servers: replica-1 is near, replica-2 is far. */
  @Nested
  class OnServers {
    @RegisterExtension static final SharedCluster cluster = new SharedCluster();

    @BeforeEach
    void empty() throws SQLException {
      cluster.onPrimary("TRUNCATE notes, parents, children");
      cluster.replicas().forEach(io.waymark.testing.postgres.PostgresNode::awaitCaughtUp);
    }

    private RecordedDataSource open(String probe, int max) throws SQLException {
      return RecordedDataSource.open(
          WaymarkDataSource.builder()
              .user("postgres")
              .max(max)
              .primary(cluster.primary().proxyUrl())
              .replica(r -> r.url(cluster.replica(1).proxyUrl()).zone("here"))
              .replica(r -> r.url(cluster.replica(2).proxyUrl()).zone("there"))
              .routing(r -> r.zone("here").probe(probe)),
          b -> {});
    }

    private String served(RecordedDataSource source) throws SQLException {
      source.read("SELECT 1");
      return source.lastEvent().endpoint();
    }

    private String forced(RecordedDataSource source) throws SQLException {
      try (Connection connection = source.db().using(Role.REPLICA).getConnection()) {
        Jdbc.one(connection, "SELECT 1");
        return source.lastEvent().endpoint();
      }
    }

    @Test
    void readsStayInTheZoneAndInspectSaysSo() throws SQLException {
      try (RecordedDataSource source = open("1m", 4)) {
        for (int i = 0; i < 4; i++) {
          assertThat(served(source)).isEqualTo("replica-1");
          assertThat(forced(source)).isEqualTo("replica-1");
        }
        assertThat(source.db().inspect(Operation.READ).passedOver())
            .contains(new PassedOver("replica-2", "other zone"));
        assertThat(source.status("replica-1").zone()).contains("here");
        assertThat(source.status("replica-2").zone()).contains("there");
        assertThat(source.status("primary").zone()).isEmpty();

        source.db().admin().drain("replica-1");
        assertThat(served(source)).isEqualTo("replica-2");
        assertThat(forced(source)).isEqualTo("replica-2");
      }
    }

    @Test
    void aDeadReplicaOfTheZoneCostsNoRead() throws SQLException {
      try (RecordedDataSource source = open("200ms", 4)) {
        assertThat(served(source)).isEqualTo("replica-1");
        cluster.replica(1).kill();

        assertThat(served(source)).isEqualTo("replica-2");

        cluster.replica(1).start();
        await().until(() -> served(source).equals("replica-1"));
      }
    }

    @Test
    void ownWritesAreReadElsewhereWhileTheZoneIsBehindAndItIsNotAskedEachTime()
        throws SQLException {
      try (RecordedDataSource source = open("1m", 4)) {
        served(source);
        cluster.replica(1).pauseReplay();
        source.write("INSERT INTO notes VALUES (1, 'own')");
        cluster.replica(2).awaitCaughtUp();

        assertThat(source.read("SELECT count(*) FROM notes")).isEqualTo("1");
        assertThat(source.lastEvent().endpoint()).isEqualTo("replica-2");
        long before = cluster.replica(1).roundTrips();
        for (int i = 0; i < 5; i++) {
          assertThat(source.read("SELECT count(*) FROM notes")).isEqualTo("1");
          assertThat(source.lastEvent().endpoint()).isEqualTo("replica-2");
        }
        assertThat(cluster.replica(1).roundTrips()).isEqualTo(before);
      }
    }

    @Test
    void readsLeaveAZoneThatIsFullAlsoWhereAReplicaIsForced() throws Exception {
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try (RecordedDataSource source = open("1m", 1)) {
        Future<String> queued;
        try (Connection held = source.db().using(Role.REPLICA).getConnection()) {
          Jdbc.one(held, "SELECT 1");
          queued = thread.submit(() -> forced(source));
          await()
              .until(() -> source.db().inspect(Operation.READ).reason().equals("auto:replica-2"));

          assertThat(served(source)).isEqualTo("replica-2");
          assertThat(forced(source)).isEqualTo("replica-2");
        }
        assertThat(queued.get()).startsWith("replica-");
      } finally {
        thread.shutdownNow();
      }
    }
  }
}
