package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.Decision;
import io.waymark.core.Operation;
import io.waymark.core.Role;
import io.waymark.core.Selectors;
import io.waymark.core.Tried;
import io.waymark.testing.SeededRandom;
import io.waymark.testing.SeededRandomExtension;
import io.waymark.testing.SettableTicker;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What no state of the servers, of the session and of the call may ever lead to. */
@ExtendWith(SeededRandomExtension.class)
class ReplicaSetDeciderPropertyTest {
  private static final int RUNS = 3_000;
  private static final int REPLICAS = 3;
  private static final History HISTORY = new History(Views.FIRST, 1);

  private SeededRandom random;

  @BeforeEach
  void seed(SeededRandom random) {
    this.random = random;
  }

  /** One call in one state of everything. */
  private record Case(RouteRequest request, Decision<Node> decision, RoutingConfig routing) {
    boolean goesToAReplica() {
      return decision instanceof Decision.Chosen<Node> chosen && chosen.member().ordinal() > 0;
    }

    boolean goesToThePrimary() {
      return decision instanceof Decision.Chosen<Node> chosen && chosen.member().ordinal() == 0;
    }

    boolean isRefused() {
      return decision instanceof Decision.Refused<Node>;
    }

    String reason() {
      return decision instanceof Decision.Chosen<Node> chosen
          ? chosen.reasonText()
          : decision.toString();
    }
  }

  private Case any(Operation operation, @Nullable Role forced) {
    SettableTicker ticker = new SettableTicker(1);
    WaymarkDataSourceConfig config =
        Views.builder(REPLICAS, ticker)
            .routing(
                r -> {
                  r.fallback(pick(Fallback.values()));
                  if (random.nextInt(3) == 0) {
                    r.maxLagBytes(random.nextInt(200));
                  }
                })
            .config();
    ReplicaSetView view = view(config);
    ticker.advance(Duration.ofMillis(random.nextInt(4_000)));
    ReplicaSetDecider decider =
        new ReplicaSetDecider(
            config.routing(),
            config.single(),
            new ReplicaRules(config.routing(), ticker),
            Selectors::roundRobin);
    RouteRequest request = new RouteRequest(operation, forced, random.nextInt(8) == 0);
    return new Case(request, decider.decide(request, floor(view), tried(view)), config.routing());
  }

  private <T> T pick(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private ReplicaSetView view(WaymarkDataSourceConfig config) {
    ReplicaSetView view = ReplicaSetView.of(Views.endpoints(config));
    for (Node node : view.nodes()) {
      if (random.nextInt(6) != 0) {
        view = view.with(node.endpoint(), sighting(node));
      }
      if (random.nextInt(5) == 0) {
        node.vitals().circuit().failed();
        node.vitals().circuit().failed();
        view = view.opened(node.endpoint(), "a test");
      }
      if (node.ordinal() > 0 && random.nextInt(5) == 0) {
        view = view.drained(node.endpoint(), true);
      }
    }
    return view.primaryOnly(random.nextInt(8) == 0);
  }

  private Sighting sighting(Node node) {
    ServerInstance server =
        node.ordinal() == 0
            ? Views.FIRST
            : pick(new ServerInstance[] {Views.SECOND, Views.SECOND, Views.SECOND, Views.FOREIGN});
    boolean standby = (node.ordinal() > 0) != (random.nextInt(8) == 0);
    int timeline = random.nextInt(6) == 0 ? 2 : 1;
    long position = random.nextInt(6) == 0 ? Lsn.NONE : 1L + random.nextInt(300);
    return standby
        ? Views.standby(server, timeline, position, Set.of(), 1)
        : Views.primary(server, timeline, position, 1);
  }

  private Floor floor(ReplicaSetView view) {
    return switch (random.nextInt(3)) {
      case 0 -> view.noDemand();
      case 1 -> new Floor(view, null, false);
      default -> new Floor(view, new Token(HISTORY, 1L + random.nextInt(300), 7), true);
    };
  }

  private Tried tried(ReplicaSetView view) {
    Tried tried = Tried.NOTHING;
    for (Node node : view.nodes()) {
      tried = random.nextInt(4) == 0 ? tried.asked(node) : tried;
      tried = random.nextInt(6) == 0 ? tried.failed(node) : tried;
    }
    return tried;
  }

  private static @Nullable Role forced(int kind) {
    return kind == 0 ? null : kind == 1 ? Role.PRIMARY : Role.REPLICA;
  }

  private static final Operation[] WRITES = {Operation.WRITE, Operation.TX, Operation.LOCK};

  @Test
  void nothingButAReadEverGoesToAReplica() {
    int served = 0;
    for (int run = 0; run < RUNS; run++) {
      Case one = any(pick(WRITES), forced(random.nextInt(2)));
      assertThat(one.goesToAReplica()).as("%s %s", random, one).isFalse();
      if (one.goesToThePrimary()) {
        served++;
        assertThat(one.reason())
            .isEqualTo(one.request().forced() == null ? "primary-required" : "constraint:primary");
      }
    }
    assertThat(served).as("not all are refused").isGreaterThan(RUNS / 10);
  }

  @Test
  void nothingButAReadIsAcceptedWhereAReplicaIsForced() {
    for (int run = 0; run < RUNS; run++) {
      Case one = any(pick(WRITES), Role.REPLICA);
      assertThat(one.isRefused()).as("%s %s", random, one).isTrue();
    }
  }

  @Test
  void aReadThatForcesAReplicaNeverReachesThePrimary() {
    int served = 0;
    for (int run = 0; run < RUNS; run++) {
      Case one = any(Operation.READ, Role.REPLICA);
      assertThat(one.goesToThePrimary()).as("%s %s", random, one).isFalse();
      served += one.goesToAReplica() ? 1 : 0;
    }
    assertThat(served).as("not all are refused").isGreaterThan(RUNS / 10);
  }

  @Test
  void aReadThatForcesThePrimaryNeverLeavesIt() {
    int served = 0;
    for (int run = 0; run < RUNS; run++) {
      Case one = any(Operation.READ, Role.PRIMARY);
      assertThat(one.goesToAReplica()).as("%s %s", random, one).isFalse();
      served += one.goesToThePrimary() ? 1 : 0;
    }
    assertThat(served).as("not all are refused").isGreaterThan(RUNS / 10);
  }

  @Test
  void withoutAFallbackOnlyAnOperatorOrTheIsolationSendsAReadToThePrimary() {
    int replicas = 0;
    for (int run = 0; run < RUNS; run++) {
      Case one = any(Operation.READ, null);
      replicas += one.goesToAReplica() ? 1 : 0;
      if (one.goesToThePrimary() && one.routing().fallback() == Fallback.ERROR) {
        assertThat(one.reason())
            .as("%s %s", random, one)
            .isIn("primary-required", "constraint:primary");
      }
      if (one.goesToAReplica()) {
        assertThat(one.reason()).startsWith("auto:replica-");
      }
    }
    assertThat(replicas).isGreaterThan(RUNS / 10);
  }
}
