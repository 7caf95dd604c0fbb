package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.Role;
import io.waymark.postgres.Consistency;
import io.waymark.postgres.EndpointStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DemoFrameTest {
  @ParameterizedTest
  @MethodSource("states")
  void itFitsTheTerminal(DemoState state) {
    for (boolean unicode : new boolean[] {true, false}) {
      List<String> lines = new DemoFrame(new Bars(unicode)).lines(state);

      assertThat(lines).hasSizeLessThanOrEqualTo(30);
      assertThat(lines).allMatch(line -> line.codePointCount(0, line.length()) <= 100);
      assertThat(lines).noneMatch(line -> line.chars().anyMatch(c -> c < ' '));
    }
  }

  static Stream<DemoState> states() {
    List<DemoState> states = new ArrayList<>();
    for (int replicas : new int[] {1, 2, 9}) {
      for (long number : new long[] {0, 7, 1_234_567, Long.MAX_VALUE / 64}) {
        for (String name : new String[] {"r", "replica-of-the-east".repeat(7)}) {
          for (DemoPlan.Step step : DemoPlan.of(replicas, Duration.ofMinutes(10)).steps()) {
            states.add(state(replicas, number, name, step));
          }
        }
      }
    }
    return states.stream();
  }

  @Test
  void itShowsWhatIsGoingOn() {
    DemoPlan.Step step = DemoPlan.of(2, Duration.ofMillis(200)).steps().get(1);

    String frame =
        String.join("\n", new DemoFrame(new Bars(false)).lines(state(2, 40, "replica", step)));

    assertThat(frame)
        .contains("replica-1 lags", "replica-1 applies commits 200 ms late")
        .contains("PostgreSQL 18.6", "2 replicas", "16 sessions", "session consistency", "seed 42")
        .contains("endpoint", "role", "circuit", "lag", "busy", "pool", "latency", "reads")
        .contains("auto:replica1", "fallback:behind")
        .contains("stale reads 40", "failed reads 40", "failed writes 40");
  }

  @Test
  void aHalfIsHalfABar() {
    DemoState state = state(1, 0, "r", DemoPlan.of(1, Duration.ZERO).steps().get(0));

    assertThat(new DemoFrame(new Bars(false)).lines(state).get(1))
        .contains("[" + "#".repeat(20) + ".".repeat(20) + "]  50 %");
  }

  @Test
  void whatIsNotKnownIsAQuestionMark() {
    DemoState state = state(1, 0, "r", DemoPlan.of(1, Duration.ZERO).steps().get(0));
    List<EndpointStatus> unseen =
        List.of(status("primary", Role.PRIMARY, null), status("r", Role.REPLICA, null));

    List<String> lines =
        new DemoFrame(new Bars(false))
            .lines(
                new DemoState(
                    state.serverVersion(),
                    state.settings(),
                    state.elapsed(),
                    state.step(),
                    unseen,
                    state.counts()));

    assertThat(lines).anyMatch(line -> line.startsWith(" r ") && line.contains("? / ?"));
  }

  private static DemoState state(int replicas, long number, String name, DemoPlan.Step step) {
    List<EndpointStatus> endpoints = new ArrayList<>();
    Map<String, Long> byEndpoint = new TreeMap<>();
    Map<String, Long> byReason = new TreeMap<>();
    endpoints.add(status("primary", Role.PRIMARY, number));
    byEndpoint.put("primary", number);
    byReason.put("fallback:behind", number);
    byReason.put("fallback:saturated", number);
    byReason.put("fallback:unhealthy", number);
    byReason.put("fallback:position-unknown", number);
    for (int i = 1; i <= replicas; i++) {
      endpoints.add(status(name + i, Role.REPLICA, number));
      byEndpoint.put(name + i, number);
      byReason.put("auto:" + name + i, number);
    }
    return new DemoState(
        "18.6",
        new DemoSettings(
            Duration.ofSeconds(number > 100 ? 86_400 : 60),
            16,
            replicas,
            10,
            0,
            Duration.ofMillis(200),
            Duration.ofMillis(20),
            Consistency.SESSION,
            true,
            false,
            number > 100 ? Long.MIN_VALUE : 42),
        Duration.ofSeconds(number > 100 ? 86_399 : 30),
        step,
        endpoints,
        counts(number, number * (replicas + 1), byEndpoint, byReason));
  }

  static Tally.Counts counts(
      long number, long reads, Map<String, Long> byEndpoint, Map<String, Long> byReason) {
    Latency.Percentiles latency = new Latency.Percentiles(number, number);
    return new Tally.Counts(
        number, reads, number, number, number, 0, byEndpoint, byReason, latency, latency, null);
  }

  private static EndpointStatus status(String name, Role role, @Nullable Long number) {
    boolean seen = number != null;
    long known = number != null ? number : 0;
    return new EndpointStatus(
        name,
        role,
        Optional.empty(),
        seen ? Optional.of(role) : Optional.empty(),
        180006,
        1,
        seen ? "open after " + known + " failures" : "closed",
        Optional.of("behind 1.2 MB"),
        false,
        Optional.of("FFFFFFFF/FFFFFFFF"),
        seen ? OptionalLong.of(known) : OptionalLong.empty(),
        seen ? Optional.of(Duration.ofMillis(known / 1_000_000)) : Optional.empty(),
        (int) Math.min(Integer.MAX_VALUE, known),
        seen ? Optional.of(Duration.ofMillis(known / 1_000_000)) : Optional.empty(),
        (int) Math.min(Integer.MAX_VALUE, known),
        Integer.MAX_VALUE);
  }
}
