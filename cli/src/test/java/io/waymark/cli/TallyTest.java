package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.Operation;
import io.waymark.postgres.RouteEvent;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TallyTest {
  private final Tally tally = new Tally();

  @Test
  void nothingDoneHoldsNothing() {
    assertThat(tally.counts().held()).isFalse();
    assertThat(tally.counts().replicaShare()).isZero();
  }

  @Test
  void readsAndWritesWithoutTroubleHold() {
    tally.wrote(1);
    read("replica-1", false);

    assertThat(tally.counts().held()).isTrue();
  }

  @Test
  void oneStaleReadIsEnoughNotToHold() {
    tally.wrote(1);
    read("replica-1", true);

    assertThat(tally.counts().held()).isFalse();
    assertThat(tally.counts().reads()).isEqualTo(1);
    assertThat(tally.counts().staleReads()).isEqualTo(1);
  }

  @Test
  void oneFailureIsEnoughNotToHold() {
    tally.wrote(1);
    read("replica-1", false);
    tally.readFailed("why");

    assertThat(tally.counts().held()).isFalse();
    assertThat(tally.counts().lastFailure()).isEqualTo("why");
  }

  @Test
  void aFailedWriteIsEnoughNotToHold() {
    tally.wrote(1);
    read("replica-1", false);
    tally.writeFailed("why");

    assertThat(tally.counts().held()).isFalse();
  }

  @Test
  void theShareOfReplicasIsOfAllAnsweredReads() {
    read("primary", false);
    read("replica-1", false);
    read("replica-2", false);

    assertThat(tally.counts().replicaShare()).isEqualTo(0.6667);
    assertThat(tally.counts().readsByReason()).containsEntry("because of replica-1", 1L);
  }

  @Test
  void latenciesAreMicrosecondsAndNeverTooLongToCount() {
    tally.wrote(TimeUnit.MILLISECONDS.toNanos(3));
    tally.wrote(TimeUnit.MILLISECONDS.toNanos(3));
    tally.wrote(Long.MAX_VALUE);

    assertThat(tally.counts().writeLatency().p50()).isBetween(2990L, 3010L);
    assertThat(tally.counts().writeLatency().p99()).isGreaterThan(3_500_000_000L);
  }

  private void read(String endpoint, boolean stale) {
    tally.read(new RouteEvent(Operation.READ, endpoint, "because of " + endpoint), stale, 1);
  }
}
