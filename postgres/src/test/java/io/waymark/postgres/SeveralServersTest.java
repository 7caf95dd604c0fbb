package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Operation;
import io.waymark.core.Role;
import io.waymark.core.RouteDecision.PassedOver;
import io.waymark.testing.TcpProxy;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A URL behind which there are two replicas, as behind a balancer. */
class SeveralServersTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final String ROWS = "SELECT count(*) FROM notes";

  private final List<EndpointEvent> events = new CopyOnWriteArrayList<>();
  private TcpProxy balancer;

  @BeforeEach
  void balance() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
    balancer = TcpProxy.to("127.0.0.1", cluster.replica(1).port());
  }

  @AfterEach
  void stop() {
    balancer.close();
  }

  private void alternate() {
    balancer.targets("127.0.0.1", cluster.replica(1).port(), cluster.replica(2).port());
  }

  private RecordedDataSource open(Consumer<WaymarkDataSourceBuilder> options) throws SQLException {
    return RecordedDataSource.open(
        WaymarkDataSource.builder()
            .user("postgres")
            .primary(cluster.primary().proxyUrl())
            .replica(
                r ->
                    r.name("balancer")
                        .url("jdbc:postgresql://127.0.0.1:" + balancer.port() + "/postgres")),
        b -> {
          b.onChange(events::add);
          options.accept(b);
        });
  }

  private List<EndpointEvent> told() {
    return events.stream().filter(EndpointEvent.SeveralServersChanged.class::isInstance).toList();
  }

  private static EndpointEvent several(boolean several) {
    return new EndpointEvent.SeveralServersChanged("balancer", several);
  }

  /** For this data source time runs so much faster that the rare looks are frequent. */
  private static void inAHurry(WaymarkDataSourceBuilder builder) {
    builder.ticker(() -> System.nanoTime() * 20).routing(r -> r.probe("200ms"));
  }

  private static void readFrom(RecordedDataSource source, int connections) throws SQLException {
    if (connections > 0) {
      try (Connection connection = source.reader()) {
        Jdbc.one(connection, "SELECT 1");
        readFrom(source, connections - 1);
      }
    }
  }

  @Test
  void connectionsOfThePoolFindOutAndReadsThatNeedAPositionStayAway() throws SQLException {
    alternate();
    try (RecordedDataSource source = open(b -> b.routing(r -> r.probe("1m")))) {
      readFrom(source, 3);

      assertThat(told()).containsExactly(several(true));
      assertThat(source.status("balancer").severalServers()).isTrue();
      assertThat(source.status("primary").severalServers()).isFalse();
      assertThat(source.read("SELECT 1")).isEqualTo("1");
      assertThat(source.lastReason()).isEqualTo("auto:balancer");

      source.write("INSERT INTO notes VALUES (1, 'own')");
      long before = balancer.connectionsOpened();
      assertThat(source.read(ROWS)).isEqualTo("1");
      assertThat(source.lastReason()).isEqualTo("fallback:behind");
      assertThat(source.db().inspect(Operation.READ).passedOver())
          .contains(new PassedOver("balancer", "several servers"));
      try (Connection forced = source.db().using(Role.REPLICA).getConnection()) {
        assertThatThrownBy(() -> Jdbc.one(forced, ROWS)).hasMessageStartingWith("WM1843");
      }
      assertThat(balancer.connectionsOpened()).isEqualTo(before);
    }
    assertThat(told()).as("told once").containsExactly(several(true));
  }

  @Test
  void noReadThatIsHeldToALagGoesThere() throws SQLException {
    alternate();
    try (RecordedDataSource source =
        open(b -> b.routing(r -> r.probe("1m").maxLag("1GB").consistency("eventual")))) {
      source.read("SELECT 1");
      readFrom(source, 3);
      await().until(() -> source.status("balancer").severalServers());

      source.read("SELECT 1");

      assertThat(source.lastReason()).isEqualTo("fallback:behind");
      assertThat(source.db().inspect(Operation.READ).passedOver())
          .contains(new PassedOver("balancer", "several servers"));
    }
  }

  @Test
  void theMonitorFindsOutByItselfAndItHealsWhenThereIsOneServerAgain() throws SQLException {
    try (RecordedDataSource source = open(SeveralServersTest::inAHurry)) {
      await().until(() -> balancer.connectionsOpened() > 2);
      assertThat(told()).isEmpty();

      alternate();
      await().untilAsserted(() -> assertThat(told()).containsExactly(several(true)));

      balancer.target("127.0.0.1", cluster.replica(2).port());
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(told()).containsExactly(several(true), several(false)));
      source.write("INSERT INTO notes VALUES (1, 'own')");
      await()
          .untilAsserted(
              () -> {
                assertThat(source.read(ROWS)).isEqualTo("1");
                assertThat(source.lastReason()).isEqualTo("auto:balancer");
              });
    }
  }

  @Test
  void anAddressThatMovesOnceIsFollowed() throws SQLException {
    try (RecordedDataSource source = open(SeveralServersTest::inAHurry)) {
      balancer.target("127.0.0.1", cluster.replica(2).port());
      cluster.replica(1).pauseReplay();
      source.write("INSERT INTO notes VALUES (1, 'own')");

      await()
          .untilAsserted(
              () -> {
                assertThat(source.read(ROWS)).isEqualTo("1");
                assertThat(source.lastReason()).isEqualTo("auto:balancer");
              });
      assertThat(told()).isEmpty();
    }
  }

  @Test
  void positionsOfAPrimaryThatIsSeveralServersAreNotBelieved() throws SQLException {
    balancer.target("127.0.0.1", cluster.primary().port());
    try (RecordedDataSource source =
        RecordedDataSource.open(
            WaymarkDataSource.builder()
                .user("postgres")
                .primary("jdbc:postgresql://127.0.0.1:" + balancer.port() + "/postgres")
                .replica(cluster.replica(1).proxyUrl()),
            b -> b.routing(r -> r.probe("1m")))) {
      source.write("INSERT INTO notes VALUES (1, 'own')");
      cluster.replica(1).awaitCaughtUp();
      assertThat(source.read(ROWS)).isEqualTo("1");
      assertThat(source.lastReason()).isEqualTo("auto:replica-1");

      balancer.targets("127.0.0.1", cluster.replica(2).port(), cluster.primary().port());
      try (Connection first = source.writer();
          Connection second = source.writer();
          Connection third = source.writer()) {
        Jdbc.one(first, "SELECT 1");
        Jdbc.one(second, "SELECT 1");
        Jdbc.one(third, "SELECT 1");
      }
      assertThat(source.status("primary").severalServers()).isTrue();

      source.read(ROWS);
      assertThat(source.lastReason()).isEqualTo("fallback:position-unknown");
    }
  }
}
