package io.waymark.topology;

import static io.waymark.topology.Groups.acme;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OverwritingPublisherTest {
  private final Map<String, String> texts = new HashMap<>();
  private final SnapshotPublisher publisher = SnapshotPublisher.overwriting(texts::put);

  @Test
  void itSaysThatItComparesNothing() {
    assertThat(publisher.comparesStamps()).isFalse();
    assertThat(publisher.canSweep()).isFalse();
    assertThatThrownBy(() -> publisher.sweep((group, stamp) -> {}))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void whateverArrivesLastIsStored() {
    assertThat(publisher.write(acme("1.2@c1")).isApplied()).isTrue();
    assertThat(publisher.write(acme("1.1@c1")).isApplied()).isTrue();

    assertThat(texts).containsEntry("acme", SnapshotCodec.encode(acme("1.1@c1")));
  }

  @Test
  void anErrorIsNoProofThatNothingWasStored() {
    SnapshotPublisher failing =
        SnapshotPublisher.overwriting(
            (group, encoded) -> {
              throw new IOException("reset");
            });

    assertThat(failing.write(acme("1.1@c1"))).isInstanceOf(WriteOutcome.Uncertain.class);
    assertThat(failing.write(acme("1.1@c1")).isSettled()).isFalse();
  }

  @Test
  void anInterruptedWriterStaysInterrupted() {
    SnapshotPublisher interrupted =
        SnapshotPublisher.overwriting(
            (group, encoded) -> {
              throw new InterruptedException();
            });

    assertThat(interrupted.write(acme("1.1@c1"))).isInstanceOf(WriteOutcome.Uncertain.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
