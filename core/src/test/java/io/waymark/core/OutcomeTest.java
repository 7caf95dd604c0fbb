package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.waymark.core.LoadSnapshot.Traffic;
import io.waymark.core.Outcome.Accepted;
import io.waymark.core.Outcome.Rejected;
import io.waymark.core.Outcome.Rejection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutcomeTest {
  private static final LoadSnapshot LOAD = snapshot(Duration.ofMinutes(1), 1, 2);

  private static LoadSnapshot snapshot(Duration window, long sequence, long pending) {
    return new LoadSnapshot(
        Instant.EPOCH, window, "a", sequence, Traffic.NONE, Traffic.NONE, pending);
  }

  @Test
  void acceptanceCarriesTheValueAndTheLoad() {
    Outcome<String> outcome = Outcome.accepted("receipt", LOAD);

    assertThat(outcome).isEqualTo(new Accepted<>("receipt", Optional.of(LOAD)));
    assertThat(outcome.isAccepted()).isTrue();
    assertThat(Outcome.accepted("receipt").load()).isEmpty();
  }

  @Test
  void rejectionCarriesTheErrorAndTheLoad() {
    Outcome<String> outcome = Outcome.rejected("TooMany", "at most 10", LOAD);

    assertThat(outcome)
        .isEqualTo(new Rejected<>(new Rejection("TooMany", "at most 10"), Optional.of(LOAD)));
    assertThat(outcome.isAccepted()).isFalse();
    assertThat(Outcome.rejected("TooMany", "at most 10").load()).isEmpty();
  }

  @Test
  void anotherValueLeavesTheRestAsItIs() {
    assertThat(Outcome.accepted("four", LOAD).map(String::length))
        .isEqualTo(Outcome.accepted(4, LOAD));
    assertThat(Outcome.<String>rejected("No", "no", LOAD).map(String::length))
        .isEqualTo(Outcome.rejected("No", "no", LOAD));
  }

  @Test
  void aLoadIsAddedToEither() {
    assertThat(Outcome.accepted(1).with(LOAD)).isEqualTo(Outcome.accepted(1, LOAD));
    assertThat(Outcome.rejected("No", "no").with(LOAD))
        .isEqualTo(Outcome.rejected("No", "no", LOAD));
  }

  @Test
  void aValueMadeOfAnotherIsAValue() {
    assertThatNullPointerException()
        .isThrownBy(() -> Outcome.accepted(1).map(OutcomeTest::nothing))
        .withMessage("value");
  }

  @SuppressWarnings({"NullAway", "UnusedVariable"}) // what a caller without the checker may do
  private static Integer nothing(Integer of) {
    return null;
  }

  @Test
  void aRejectionHasAName() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Rejection(" ", "no"));
  }

  @Test
  void aSnapshotRefusesWhatMakesNoSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> snapshot(Duration.ZERO, 1, 0))
        .withMessage("window must be positive, was PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> snapshot(Duration.ofMinutes(1), -1, 0))
        .withMessage("sequence must not be negative, was -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> snapshot(Duration.ofMinutes(1), 1, -5))
        .withMessage("pendingDeliveries must not be negative, was -5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Traffic(-1, 0, OptionalDouble.empty()))
        .withMessage("inFlight must not be negative, was -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Traffic(0, -1, OptionalDouble.empty()))
        .withMessage("completed must not be negative, was -1");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void anAverageIsFiniteAndNotNegative(double average) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Traffic(0, 1, OptionalDouble.of(average)))
        .withMessageContaining("averageMillis must be finite and not negative");
  }
}
