package io.waymark.bench.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A real run that is too short to tell anything but that it works. */
class RoutingRunTest {
  private static final RoutingPlan TINY =
      new RoutingPlan(Duration.ofMillis(20), Duration.ofMillis(100));

  @Test
  void everyContenderHasAResultForEachNumberOfMembers() throws Exception {
    List<RoutingResult> results;
    try (RoutingRun run = new RoutingRun(TINY, contender -> {})) {
      results = run.run(Arrays.asList(RoutingContender.values()));
    }

    assertThat(results)
        .hasSize(RoutingContender.values().length * RoutingPlan.MEMBERS.size())
        .allSatisfy(
            result -> {
              assertThat(result.broken()).isNull();
              assertThat(result.figures())
                  .extracting(RoutingResult.Figures::threads)
                  .isEqualTo(RoutingPlan.THREADS);
              assertThat(result.figures())
                  .allSatisfy(
                      figures -> {
                        assertThat(figures.waymarkNanos().middle()).isPositive();
                        assertThat(figures.nanos().middle()).isPositive();
                        assertThat(figures.ratio().low()).isPositive();
                      });
            });
  }
}
