package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoPlanTest {
  private static final Duration LAG = Duration.ofMillis(200);

  @Test
  void aSingleReplicaLagsAndIsNotKilled() {
    assertThat(levers(1))
        .containsExactly(DemoPlan.Lever.NONE, DemoPlan.Lever.LAG, DemoPlan.Lever.NO_LAG);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 9})
  void theFirstReplicaLagsAndTheLastOneDies(int replicas) {
    List<DemoPlan.Step> steps = DemoPlan.of(replicas, LAG).steps();

    assertThat(levers(replicas))
        .containsExactly(
            DemoPlan.Lever.NONE,
            DemoPlan.Lever.LAG,
            DemoPlan.Lever.KILL,
            DemoPlan.Lever.NO_LAG,
            DemoPlan.Lever.RESTART);
    assertThat(steps.get(1).node()).isEqualTo("replica-1");
    assertThat(steps.get(2).node()).isEqualTo("replica-" + replicas);
    assertThat(steps.get(4).node()).isEqualTo("replica-" + replicas);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 9})
  void stepsAreInOrderOfTimeAndEndWithHalfOfItLeft(int replicas) {
    List<DemoPlan.Step> steps = DemoPlan.of(replicas, LAG).steps();

    assertThat(steps.get(0).at()).isZero();
    assertThat(steps).isSortedAccordingTo((a, b) -> Double.compare(a.at(), b.at()));
    assertThat(DemoPlan.due(steps.get(steps.size() - 1), Duration.ofSeconds(60)))
        .isLessThanOrEqualTo(Duration.ofSeconds(33));
  }

  private static List<DemoPlan.Lever> levers(int replicas) {
    return DemoPlan.of(replicas, LAG).steps().stream().map(DemoPlan.Step::lever).toList();
  }
}
