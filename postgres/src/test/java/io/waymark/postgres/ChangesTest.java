package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.core.LiveView;
import io.waymark.core.Role;
import io.waymark.testing.SettableTicker;
import java.net.ConnectException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is told of the changes from view to view. */
class ChangesTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private final List<EndpointEvent> events = new ArrayList<>();
  private final List<Endpoint> endpoints =
      Views.endpoints(Views.builder(2, new SettableTicker(1)).config());
  private final LiveView<ReplicaSetView> view = new LiveView<>(ReplicaSetView.of(endpoints));
  private final Endpoint primary = endpoints.get(0);
  private final Endpoint replica = endpoints.get(1);

  private List<EndpointEvent> swap(UnaryOperator<ReplicaSetView> change) {
    events.clear();
    view.swap(change);
    return events;
  }

  private void listen() {
    view.swap(now -> now.with(primary, Views.primary(Views.FIRST, 1, 500, 1)));
    view.swap(now -> now.with(replica, standby(1)));
    view.onChange(new Changes(events::add));
  }

  private static Sighting standby(int timeline) {
    return Views.standby(Views.SECOND, timeline, 400, Set.of(), 1);
  }

  private static EndpointEvent eligibility(String endpoint, String before, String after) {
    return new EndpointEvent.EligibilityChanged(
        endpoint,
        before.isEmpty() ? Optional.empty() : Optional.of(before),
        after.isEmpty() ? Optional.empty() : Optional.of(after));
  }

  @Test
  void aFirstSightingIsToldWhereItChangesSomething() {
    view.onChange(new Changes(events::add));

    assertThat(swap(now -> now.with(primary, Views.primary(Views.FIRST, 1, 500, 1)))).isEmpty();
    assertThat(swap(now -> now.with(replica, standby(1))))
        .containsExactly(eligibility("replica-1", "not reached yet", ""));
    assertThat(swap(now -> now.with(replica, standby(1)))).isEmpty();
  }

  @Test
  void aCircuitThatOpensAndClosesIsToldOnceEach() {
    listen();
    replica.vitals().circuit().failed();
    replica.vitals().circuit().failed();

    assertThat(swap(now -> now.opened(replica, "a reason")))
        .containsExactly(
            new EndpointEvent.CircuitOpened("replica-1", "a reason"),
            eligibility("replica-1", "", "circuit open"));
    assertThat(swap(now -> now.with(replica, standby(1)))).isEmpty();

    replica.vitals().circuit().trialSucceeded();

    assertThat(swap(now -> now.with(replica, standby(1))))
        .containsExactly(
            new EndpointEvent.CircuitClosed("replica-1"),
            eligibility("replica-1", "circuit open", ""));
  }

  @Test
  void aCircuitThatHasClosedAgainMeanwhileIsNotToldToBeOpen() {
    listen();

    assertThat(swap(now -> now.opened(replica, "a reason"))).isEmpty();
  }

  @Test
  void aPromotionIsToldAsRoleTimelineAndTheEndOfThePrimary() {
    listen();

    assertThat(swap(now -> now.with(replica, Views.promoted(Views.SECOND, 2, 400, 410, 2))))
        .startsWith(
            new EndpointEvent.RoleChanged("replica-1", Role.REPLICA, Role.PRIMARY),
            new EndpointEvent.TimelineChanged("replica-1", 1, 2))
        .contains(eligibility("replica-1", "", "not a standby"))
        .anySatisfy(
            event ->
                assertThat(event)
                    .isInstanceOfSatisfying(
                        EndpointEvent.EligibilityChanged.class,
                        changed -> {
                          assertThat(changed.endpoint()).isEqualTo("primary");
                          assertThat(changed.after()).isPresent();
                        }));
  }

  @Test
  void aLostWriteIsToldOncePerPosition() {
    listen();
    Token token = new Token(new History(Views.FIRST, 1), 450, 7);

    assertThat(swap(now -> now.losing(token)))
        .containsExactly(new EndpointEvent.HistoryLost("primary", 1, Lsn.format(450)));
    assertThat(swap(now -> now.losing(token))).isEmpty();
  }

  @Test
  void whatAnOperatorAsksIsToldOnce() {
    listen();
    Admin admin = new Admin(view);

    admin.drain("replica-1");
    admin.drain("replica-1");
    admin.resume("replica-1");
    admin.weight("replica-1", 2);
    admin.weight("replica-1", 2);
    admin.primaryOnly(true);
    admin.primaryOnly(true);

    assertThat(events)
        .containsExactly(
            new EndpointEvent.Drained("replica-1"),
            eligibility("replica-1", "", "drained"),
            new EndpointEvent.Resumed("replica-1"),
            eligibility("replica-1", "drained", ""),
            new EndpointEvent.WeightChanged("replica-1", 1, 2),
            new EndpointEvent.PrimaryOnlyChanged("primary", true));
  }

  @Test
  void aListenerThatThrowsStillHearsTheRest() {
    view.swap(now -> now.with(replica, standby(1)));
    view.onChange(
        new Changes(
            event -> {
              events.add(event);
              throw new AssertionError("on purpose");
            }));

    new Admin(view).drain("replica-1");

    assertThat(events).hasSize(2);
    assertThat(view.current().nodes().get(1).drained()).isTrue();
  }

  @Test
  void aFailureIsToldByItsKindAndNeverByItsMessage() {
    Exception secret =
        new SQLException("password=hunter2", "08001", new ConnectException("hunter2"));

    assertThat(Failures.kind(secret)).isEqualTo("ConnectException, SQLSTATE 08001");
    assertThat(Failures.kind(new IllegalStateException("hunter2")))
        .isEqualTo("IllegalStateException");
  }

  @Test
  void aServerThatStopsAndReturnsIsTold() throws SQLException {
    List<EndpointEvent> told = new CopyOnWriteArrayList<>();
    try (RecordedDataSource source =
        cluster.open(b -> b.onChange(told::add).routing(r -> r.probe("100ms")))) {
      assertThat(source.read("SELECT 1")).isEqualTo("1");
      told.clear();

      cluster.replica(1).stop();
      await()
          .until(
              () -> told.stream().anyMatch(event -> event instanceof EndpointEvent.CircuitOpened));
      cluster.replica(1).start();
      await().until(() -> told.contains(new EndpointEvent.CircuitClosed("replica-1")));

      assertThat(told).extracting(EndpointEvent::endpoint).containsOnly("replica-1");
      assertThat(told.toString()).contains("SQLSTATE").doesNotContain("jdbc:", "localhost");
    }
  }
}
