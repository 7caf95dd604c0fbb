package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.net.SocketTimeoutException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {
  @ParameterizedTest
  @CsvSource({
    // state, connection, busy, denied, read-only, recovery conflict
    "08000, true, false, false, false, false",
    "08001, true, false, false, false, false",
    "08006, true, false, false, false, false",
    "57P01, true, false, false, false, false",
    "57P02, true, false, false, false, false",
    "57P03, true, false, false, false, false",
    "53300, false, true, false, false, false",
    "WM846, false, true, false, false, false",
    "42501, false, false, true, false, false",
    "25006, false, false, false, true, false",
    "40001, false, false, false, false, true",
    "40P01, false, false, false, false, true",
    "57014, false, false, false, false, false",
    "23505, false, false, false, false, false",
    "28P01, false, false, false, false, false",
    "3D000, false, false, false, false, false",
    "25P02, false, false, false, false, false",
    ", false, false, false, false, false",
  })
  void theStateSaysWhatAFailureSpeaksOf(
      String state,
      boolean connection,
      boolean busy,
      boolean denied,
      boolean readOnly,
      boolean conflict) {
    for (Throwable failure :
        new Throwable[] {
          new SQLException("itself", state),
          new SQLException("outer", "XX000", new SQLException("inner", state)),
          new IllegalStateException(new RuntimeException(new SQLException("deep", state))),
        }) {
      assertThat(Failures.isConnection(failure)).as("%s", failure).isEqualTo(connection);
      assertThat(Failures.isBusy(failure)).isEqualTo(busy);
      assertThat(Failures.isDenied(failure)).isEqualTo(denied);
      assertThat(Failures.isReadOnly(failure)).isEqualTo(readOnly);
      assertThat(Failures.isRecoveryConflict(failure)).isEqualTo(conflict);
    }
  }

  @Test
  void aBrokenSocketIsAConnectionsFailureWhateverTheState() {
    assertThat(Failures.isConnection(new SQLException("eof", "XX000", new EOFException())))
        .isTrue();
    assertThat(Failures.isConnection(new SQLException("late", null, new SocketTimeoutException())))
        .isTrue();
  }

  @Test
  void aServerThatIsFullIsNotDeadAlsoWhereThePoolSaysItCouldNotConnect() {
    SQLException full =
        new SQLException("no connection", "08001", new SQLException("too many clients", "53300"));

    assertThat(Failures.isConnection(full)).isFalse();
    assertThat(Failures.isBusy(full)).isTrue();
  }

  @Test
  void aBatchSpeaksOfItsCause() {
    BatchUpdateException batch =
        new BatchUpdateException("batch", "25006", 0, new int[0], new SQLException("ro", "25006"));

    assertThat(Failures.isReadOnly(batch)).isTrue();
  }

  @Test
  void aCycleOfCausesEnds() {
    SQLException first = new SQLException("first", "XX000");
    SQLException second = new SQLException("second", "XX000", first);
    first.initCause(second);

    assertThat(Failures.isConnection(first)).isFalse();
    assertThat(Failures.isBusy(first)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"57P05", "25P03", "57P04"})
  void aSessionThatTheServerEndedSaysNothingAgainstTheServer(String state) {
    SQLException ended = new SQLException("outer", "XX000", new SQLException("ended", state));

    assertThat(Failures.isSessionEnded(ended)).isTrue();
    assertThat(Failures.isConnection(ended)).isFalse();
    assertThat(Failures.isSessionEnded(new SQLException("shut down", "57P01"))).isFalse();
  }
}
