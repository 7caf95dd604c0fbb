package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.waymark.core.OptionException;
import io.waymark.core.Role;
import io.waymark.testing.Direction;
import io.waymark.testing.postgres.PostgresNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the probes see of real servers, and what the selectors make of it. */
class MonitorTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final String ROWS = "SELECT count(*) FROM notes";
  private static final String MUCH =
      "INSERT INTO notes SELECT n, repeat(md5(n::text), 20) FROM generate_series(%d, %d) n";

  @BeforeEach
  void empty() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
  }

  private static RecordedDataSource open(Consumer<RoutingBuilder> routing) throws SQLException {
    return cluster.open(
        b ->
            b.routing(
                r -> {
                  r.probe("200ms");
                  routing.accept(r);
                }));
  }

  private static Map<String, Integer> reads(RecordedDataSource source, int count)
      throws SQLException {
    Map<String, Integer> served = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      source.read("SELECT 1");
      served.merge(source.lastEvent().endpoint(), 1, Integer::sum);
    }
    return served;
  }

  // ---- what is seen

  @Test
  void rolesTimelinesAndPositionsAreSeen() throws SQLException {
    try (RecordedDataSource source = open(r -> {})) {
      List<EndpointStatus> all = source.db().endpoints();

      assertThat(all)
          .extracting(EndpointStatus::name)
          .containsExactly("primary", "replica-1", "replica-2");
      assertThat(all)
          .extracting(status -> status.seen().orElseThrow())
          .containsExactly(Role.PRIMARY, Role.REPLICA, Role.REPLICA);
      assertThat(all).extracting(EndpointStatus::timeline).containsOnly(1);
      assertThat(all).allMatch(status -> status.position().isPresent());
      assertThat(all).allMatch(status -> status.latency().isPresent());
      assertThat(all).allMatch(status -> status.version() >= 150_000);
      assertThat(all).extracting(EndpointStatus::circuit).containsOnly("closed");
    }
  }

  @Test
  void anIdleReplicaThatHasCaughtUpHasNoLag() throws SQLException {
    try (RecordedDataSource source = open(r -> r.maxLag("500ms"))) {
      await()
          .pollDelay(Duration.ofMillis(5_200))
          .until(
              () ->
                  source.db().endpoints().stream()
                      .skip(1)
                      .allMatch(
                          status ->
                              status.lagBytes().orElse(-1) == 0
                                  && status
                                      .lagTime()
                                      .equals(java.util.Optional.of(Duration.ZERO))));
      assertThat(reads(source, 4)).containsOnlyKeys("replica-1", "replica-2");
    }
  }

  @Test
  void lagInTimeGrowsWhileReplayIsPausedAndKeepsReadsAway() throws SQLException {
    try (RecordedDataSource source =
        open(r -> r.maxLag("700ms").consistency(Consistency.EVENTUAL))) {
      cluster.replica(1).pauseReplay();
      cluster.onPrimary("INSERT INTO notes VALUES (1, 'unseen')");

      await()
          .until(
              () ->
                  source
                          .status("replica-1")
                          .lagTime()
                          .orElse(Duration.ZERO)
                          .compareTo(Duration.ofMillis(700))
                      > 0);
      assertThat(source.status("replica-1").lagBytes().orElse(-1)).isPositive();
      assertThat(reads(source, 6)).containsOnlyKeys("replica-2");

      cluster.replica(1).resumeReplay();
      await().until(() -> reads(source, 2).containsKey("replica-1"));
    }
  }

  @Test
  void lagInBytesKeepsReadsAway() throws SQLException {
    try (RecordedDataSource source =
        open(r -> r.maxLag("16KB").consistency(Consistency.EVENTUAL))) {
      cluster.pauseReplay();
      cluster.onPrimary("INSERT INTO notes VALUES (0, 'little')");
      assertThat(reads(source, 4)).doesNotContainKey("primary");

      cluster.onPrimary(String.format(MUCH, 1, 500));

      await().until(() -> reads(source, 1).containsKey("primary"));
      assertThat(source.lastReason()).isEqualTo("fallback:behind");
      cluster.replica(2).resumeReplay();
      await().until(() -> reads(source, 1).containsKey("replica-2"));
    }
  }

  @Test
  void aDelayedReplicaIsPassedOverForTheSessionThatWrote() throws SQLException {
    cluster.replica(1).applyDelay(Duration.ofSeconds(60));
    try (RecordedDataSource source = open(r -> {})) {
      source.write("INSERT INTO notes VALUES (1, 'own')");

      for (int i = 0; i < 4; i++) {
        assertThat(source.read(ROWS)).isEqualTo("1");
        assertThat(source.lastEvent().endpoint()).isNotEqualTo("replica-1");
      }
      assertThat(source.db().inspect(io.waymark.core.Operation.READ).passedOver())
          .anySatisfy(
              passed -> {
                assertThat(passed.endpoint()).isEqualTo("replica-1");
                assertThat(passed.reason()).contains("behind");
              });
    } finally {
      cluster.replica(1).applyDelay(Duration.ZERO);
    }
  }

  @Test
  void anUnknownPrimaryPositionIsNoGoodNews() throws SQLException {
    cluster.onPrimary("REVOKE EXECUTE ON FUNCTION pg_current_wal_insert_lsn() FROM public");
    try (RecordedDataSource source =
        cluster.open(b -> b.user("clerk").routing(r -> r.probe("200ms").maxLag("60m")))) {
      source.read("SELECT 1");

      assertThat(source.lastEvent().endpoint()).isEqualTo("primary");
      assertThat(source.lastReason()).startsWith("fallback:");
      assertThat(source.status("replica-1").lagBytes()).isEmpty();
    } finally {
      cluster.onPrimary("GRANT EXECUTE ON FUNCTION pg_current_wal_insert_lsn() TO public");
    }
  }

  @Test
  void aHungReplicaDoesNotHoldUpTheProbesOfTheOthers() throws SQLException {
    Duration probe = Duration.ofMillis(200);
    Duration allowed = probe.multipliedBy(11).dividedBy(10).plusMillis(100);
    try (RecordedDataSource source = open(r -> r.probe(probe))) {
      assertThat(source.status("replica-2").circuit()).isEqualTo("closed");
      cluster.replica(1).freeze();
      // A busy machine may stretch one look at the counters; a delay of ours would stretch all.
      Duration shortestOfTheLongest = Duration.ofDays(1);
      for (int window = 0; window < 4 && shortestOfTheLongest.compareTo(allowed) > 0; window++) {
        Duration longest = longestGap(cluster.replica(2), 6);
        if (longest.compareTo(shortestOfTheLongest) < 0) {
          shortestOfTheLongest = longest;
        }
      }
      assertThat(shortestOfTheLongest).isLessThanOrEqualTo(allowed);
      await().until(() -> source.status("replica-1").circuit().startsWith("open"));
    } finally {
      cluster.replica(1).thaw();
    }
  }

  /** The longest time between two of so many requests in a row. */
  private static Duration longestGap(PostgresNode node, int requests) {
    long[] last = {System.nanoTime()};
    long[] seen = {node.wire().requests()};
    long[] longest = {0};
    int[] left = {requests};
    await()
        .pollInterval(Duration.ofMillis(5))
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              long now = node.wire().requests();
              if (now != seen[0]) {
                boolean first = left[0]-- == requests;
                longest[0] = first ? 0 : Math.max(longest[0], System.nanoTime() - last[0]);
                last[0] = System.nanoTime();
                seen[0] = now;
              }
              return left[0] <= 0;
            });
    return Duration.ofNanos(longest[0]);
  }

  @Test
  void aPositionThatWasSeenIsNeverAheadOfTheServer() throws SQLException {
    try (Connection beside = cluster.replica(1).connect();
        RecordedDataSource source = open(r -> r.probe("50ms"))) {
      cluster.replica(1).pauseReplay();
      cluster.onPrimary(String.format(MUCH, 1, 3_000));
      cluster.replica(1).resumeReplay();
      long before = 0;
      for (int i = 0; i < 200; i++) {
        long seen = Lsn.parse(source.status("replica-1").position().orElseThrow());
        long there = Lsn.parse(Jdbc.one(beside, "SELECT pg_last_wal_replay_lsn()"));

        assertThat(Lsn.reached(there, seen)).isTrue();
        assertThat(Lsn.reached(seen, before)).as("one server goes on only").isTrue();
        before = seen;
      }
    }
  }

  // ---- who is selected

  @Test
  void weightsAreKept() throws SQLException {
    try (RecordedDataSource source =
        RecordedDataSource.open(
            WaymarkDataSource.builder()
                .user("postgres")
                .primary(cluster.primary().proxyUrl())
                .replica(r -> r.url(cluster.replica(1).proxyUrl()).name("light").weight(1))
                .replica(r -> r.url(cluster.replica(2).proxyUrl()).name("heavy").weight(3)),
            b -> {})) {
      Map<String, Integer> served = reads(source, 40);

      assertThat(served.get("light")).isCloseTo(10, within(2));
      assertThat(served.get("heavy")).isCloseTo(30, within(2));
      assertThat(served).doesNotContainKey("primary");
    }
  }

  @Test
  void leastConnectionsAvoidsTheBusyReplica() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (RecordedDataSource source = open(r -> r.select(Select.LEAST_CONNECTIONS))) {
      assertThat(reads(source, 4)).containsOnlyKeys("replica-1");
      Future<String> slow = thread.submit(() -> source.read("SELECT pg_sleep(30)::text"));
      await().until(() -> source.status("replica-1").inFlight() == 1);

      assertThat(reads(source, 6)).containsOnlyKeys("replica-2");

      cluster.replica(1).proxy().reset(); // ends the slow read; it begins anew elsewhere
      slow.cancel(true);
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void latencyAwareFollowsTheFasterReplica() throws SQLException {
    try (RecordedDataSource source = open(r -> r.select(Select.LATENCY_AWARE).probe("300ms"))) {
      for (int near = 1; near <= 2; near++) {
        PostgresNode far = cluster.replica(3 - near);
        String nearName = "replica-" + near;
        cluster.replica(near).proxy().latency(Duration.ZERO);
        far.proxy().latency(Duration.ofMillis(40));
        await().until(() -> reads(source, 1).containsKey(nearName));
        await().until(() -> reads(source, 12).getOrDefault(nearName, 0) >= 10);
      }
    }
  }

  @Test
  @SuppressWarnings("NullAway") // what a careless function returns
  void aFunctionSelectsAmongExactlyTheCandidates() throws SQLException {
    List<List<Select.Candidate>> asked = new CopyOnWriteArrayList<>();
    AtomicReference<String> answer = new AtomicReference<>("replica-2");
    try (RecordedDataSource source =
        open(
            r ->
                r.select(
                    candidates -> {
                      asked.add(candidates);
                      return answer.get();
                    }))) {
      assertThat(reads(source, 3)).containsOnlyKeys("replica-2");
      assertThat(asked).hasSize(3);
      assertThat(asked.get(0))
          .allSatisfy(
              candidate -> {
                assertThat(candidate.weight()).isEqualTo(1);
                assertThat(candidate.inFlight()).isZero();
                assertThat(candidate.latencyNanos()).isPresent();
              })
          .extracting(Select.Candidate::name)
          .containsExactly("replica-1", "replica-2");

      try (Connection forced = source.db().using(Role.REPLICA).getConnection()) {
        Jdbc.one(forced, "SELECT 1");
      }
      assertThat(asked).as("not asked for a forced read").hasSize(3);
      assertThat(source.lastEvent().endpoint()).isEqualTo("replica-1");

      for (String wrong : new String[] {"primary", "replica-3", ""}) {
        answer.set(wrong);
        assertThatThrownBy(() -> source.read("SELECT 1"))
            .isInstanceOf(OptionException.class)
            .hasMessageContaining("routing.select returned " + wrong);
      }
      answer.set(null);
      assertThatThrownBy(() -> source.read("SELECT 1"))
          .isInstanceOf(OptionException.class)
          .hasMessageContaining("routing.select returned null");
    }
  }

  @Test
  void aFunctionIsNotAskedWhereThereIsOneCandidate() throws SQLException {
    cluster.replica(1).stop();
    try (RecordedDataSource source =
        open(
            r ->
                r.select(
                    candidates -> {
                      throw new IllegalStateException("asked about " + candidates);
                    }))) {
      assertThat(reads(source, 3)).containsOnlyKeys("replica-2");
    }
  }

  @Test
  void aFunctionIsNotAskedAboutReplicasThatMayNotServe() throws SQLException {
    List<List<Select.Candidate>> asked = new CopyOnWriteArrayList<>();
    try (RecordedDataSource source =
        open(
            r ->
                r.probe("1m")
                    .select(
                        candidates -> {
                          asked.add(candidates);
                          return candidates.get(0).name();
                        }))) {
      cluster.pauseReplay();
      source.write("INSERT INTO notes VALUES (1, 'own')");
      assertThat(source.read(ROWS)).isEqualTo("1");
      assertThat(source.lastReason()).isEqualTo("fallback:behind");
      cluster.resumeReplay();
      cluster.replicas().forEach(PostgresNode::awaitCaughtUp);

      // Nobody is known to have caught up: one is asked, and serves.
      assertThat(reads(source, 1)).containsOnlyKeys("replica-1");
      assertThat(asked).isEmpty();
      cluster.replica(1).stop();
      assertThat(reads(source, 1)).containsOnlyKeys("replica-2");
      assertThat(asked).isEmpty();
    }
  }

  @Test
  void aFunctionSeesTheLagInBytes() throws SQLException {
    List<List<Select.Candidate>> asked = new CopyOnWriteArrayList<>();
    try (RecordedDataSource source =
        open(
            r ->
                r.consistency(Consistency.EVENTUAL)
                    .select(
                        candidates -> {
                          asked.add(candidates);
                          return candidates.get(0).name();
                        }))) {
      cluster.replica(2).pauseReplay();
      cluster.onPrimary(String.format(MUCH, 1, 100));

      await()
          .until(
              () -> {
                source.read("SELECT 1");
                List<Select.Candidate> last = asked.get(asked.size() - 1);
                return last.get(0).lagBytes().orElse(-1) == 0
                    && last.get(1).lagBytes().orElse(-1) > 1_000;
              });
    }
  }

  @Test
  void whatAFunctionThrowsReachesTheCaller() throws SQLException {
    IllegalStateException thrown = new IllegalStateException("the function's own");
    OptionException refused = new OptionException("the function's own refusal");
    AtomicReference<RuntimeException> next = new AtomicReference<>(thrown);
    try (RecordedDataSource source =
        open(
            r ->
                r.select(
                    candidates -> {
                      throw next.get();
                    }))) {
      assertThatThrownBy(() -> source.read("SELECT 1")).isSameAs(thrown);
      next.set(refused);
      assertThatThrownBy(() -> source.read("SELECT 1")).isSameAs(refused);
      assertThat(source.db().endpoints()).extracting(EndpointStatus::inFlight).containsOnly(0);
      assertThat(source.db().endpoints()).extracting(EndpointStatus::connections).containsOnly(0);
    }
  }

  // ---- the lag ceiling

  @ParameterizedTest
  @EnumSource
  void theLagCeilingHoldsForForcedReadsInBothConsistencies(Consistency consistency)
      throws SQLException {
    try (RecordedDataSource source = open(r -> r.maxLag("16KB").consistency(consistency))) {
      cluster.pauseReplay();
      cluster.onPrimary(String.format(MUCH, 1, 500));
      await()
          .until(
              () ->
                  source.db().endpoints().stream()
                      .skip(1)
                      .allMatch(status -> status.lagBytes().orElse(0) > 16 * 1024));

      try (Connection forced = source.db().using(Role.REPLICA).getConnection()) {
        assertThatThrownBy(() -> Jdbc.one(forced, "SELECT 1"))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1843))
            .hasMessageContaining("(behind)");
      }

      cluster.resumeReplay();
      try (Connection forced = source.db().using(Role.REPLICA).getConnection()) {
        await()
            .ignoreExceptionsInstanceOf(SQLException.class)
            .until(() -> Jdbc.one(forced, "SELECT 1").equals("1"));
      }
    }
  }

  @Test
  void lagInTimeIsWhatTheReplicaItselfSays() throws SQLException {
    cluster.pauseReplay();
    cluster.onPrimary("INSERT INTO notes VALUES (1, 'unseen')");
    try (Connection beside = cluster.replica(1).connect();
        RecordedDataSource source = open(r -> {})) {
      String age =
          "SELECT (EXTRACT(EPOCH FROM clock_timestamp() - pg_last_xact_replay_timestamp())"
              + " * 1000000)::int8";
      await().until(() -> source.status("replica-1").lagTime().isPresent());
      long before = Long.parseLong(Jdbc.one(beside, age));
      Duration first = source.status("replica-1").lagTime().orElseThrow();
      await().until(() -> !source.status("replica-1").lagTime().equals(Optional.of(first)));
      Duration seen = source.status("replica-1").lagTime().orElseThrow();
      long after = Long.parseLong(Jdbc.one(beside, age));

      assertThat(seen.toNanos() / 1000).isBetween(before, after);
    }
  }

  /** Neither a wall clock nor a time zone of this process can get into a lag. */
  @Test
  void noClockOfThisProcessTellsTheTimeOfDay() throws IOException {
    Path sources = Path.of(System.getProperty("basedir", ".")).resolve("src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      assertThat(files.filter(file -> file.toString().endsWith(".java")))
          .isNotEmpty()
          .allSatisfy(
              file ->
                  assertThat(Files.readString(file))
                      .doesNotContain("currentTimeMillis", "Instant.now", "Clock.system"));
    }
  }

  // ---- when it looks

  @Test
  void aProbeStartsOneIntervalAfterTheOneBeforeStarted() throws SQLException {
    Duration probe = Duration.ofMillis(300);
    cluster.replica(1).proxy().latency(Direction.TO_CLIENT, Duration.ofMillis(200));
    try (RecordedDataSource source = open(r -> r.probe(probe))) {
      List<Duration> gaps = gaps(cluster.replica(1), 7);

      // Counted from its end it would be at least 470 ms, with all that chance may take away.
      assertThat(gaps.get(gaps.size() / 2))
          .isBetween(Duration.ofMillis(265), Duration.ofMillis(400));
      assertThat(source.status("replica-1").circuit()).isEqualTo("closed");
    }
  }

  /** The times between so many requests in a row, from the shortest to the longest. */
  private static List<Duration> gaps(PostgresNode node, int count) {
    List<Duration> gaps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      gaps.add(longestGap(node, 2));
    }
    return gaps.stream().sorted().toList();
  }

  @Test
  void aPrimaryThatCannotBeReachedIsLookedForAllTheTime() throws SQLException {
    try (RecordedDataSource source = open(r -> r.probe("1m"))) {
      source.write("INSERT INTO notes VALUES (1, 'own')");
      cluster.primary().proxy().refuse();
      cluster.primary().proxy().reset();
      // Finds out, since it needs evidence, that the primary is gone.
      assertThatThrownBy(() -> source.read(ROWS)).isInstanceOf(SQLException.class);
      long before = cluster.primary().wire().connectionsOpened();

      cluster.primary().proxy().accept();

      await()
          .atMost(Duration.ofSeconds(3))
          .until(() -> cluster.primary().wire().connectionsOpened() > before);
    }
  }

  @Test
  void aPrimaryThatIsAStandbyIsLookedAtAllTheTime() throws SQLException {
    try (RecordedDataSource source =
        RecordedDataSource.open(
            WaymarkDataSource.builder()
                .user("postgres")
                .primary(cluster.replica(1).proxyUrl())
                .replica(cluster.replica(2).proxyUrl()),
            b -> b.routing(r -> r.probe("1m")))) {
      long before = cluster.replica(1).wire().requests();
      long others = cluster.replica(2).wire().requests();

      await()
          .atMost(Duration.ofSeconds(3))
          .until(() -> cluster.replica(1).wire().requests() >= before + 10);

      assertThat(cluster.replica(2).wire().requests()).isEqualTo(others);
      assertThat(source.status("primary").seen()).contains(Role.REPLICA);
    }
  }
}
