package io.waymark.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A real run that is too short to tell anything but that it works. */
class TopologyContenderRunTest {
  private static final TopologyPlan TINY =
      new TopologyPlan(5, 2, 4, Duration.ofMillis(50), Duration.ofMillis(300));

  @Test
  void contendersWhoseServersComeWithTheBuildHaveAResult() throws Exception {
    List<TopologyContender> some =
        List.of(TopologyContender.WAYMARK_POSTGRES, TopologyContender.ZOOKEEPER);

    List<TopologyResult> results;
    try (TopologyRun run = new TopologyRun(TINY, contender -> {})) {
      results = run.run(some);
    }

    assertThat(results)
        .extracting(TopologyResult::contender)
        .containsExactly("waymark-postgres", "zookeeper");
    assertThat(results)
        .allSatisfy(
            result -> {
              assertThat(result.broken()).isNull();
              assertThat(result.servers()).matches("(PostgreSQL|ZooKeeper) \\d+.*");
              assertThat(result.changes()).isPositive();
              assertThat(result.updatesPerSecond()).isPositive();
              Quantiles sinceCall = Objects.requireNonNull(result.callToLastMillis());
              assertThat(sinceCall.p50()).isPositive().isLessThanOrEqualTo(sinceCall.p99());
            });
  }

  @Test
  void theLastReaderCounts() {
    Arrivals arrivals = new Arrivals(2);
    var second = arrivals.expect(2);

    arrivals.seen(0, 2);
    arrivals.seen(0, 3);
    arrivals.seen(1, 1);
    assertThat(second).isNotDone();
    arrivals.seen(1, 3); // it has missed one, and has a later one

    assertThat(second).isCompleted();
  }

  @Test
  void quantilesAreThoseOfTheNearestRank() {
    long[] millis = new long[100];
    for (int i = 0; i < millis.length; i++) {
      millis[i] = (i + 1) * 1_000_000L;
    }

    assertThat(Quantiles.of(millis)).isEqualTo(new Quantiles(50, 99));
    assertThat(Quantiles.of(new long[] {7_000_000})).isEqualTo(new Quantiles(7, 7));
  }
}
