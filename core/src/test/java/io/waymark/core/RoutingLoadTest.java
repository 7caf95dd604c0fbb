package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.waymark.core.LoadSnapshot.Traffic;
import io.waymark.testing.SettableTicker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingLoadTest {
  private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

  private final SettableTicker ticker = new SettableTicker(millis(100_000));
  private final AtomicReference<Instant> wall = new AtomicReference<>(NOON);
  private final RoutingLoad load = RoutingLoad.of(ticker, clock());

  private Clock clock() {
    InstantSource source = wall::get;
    return source.withZone(ZoneOffset.UTC);
  }

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  private void at(long millis) {
    ticker.set(millis(millis));
  }

  private static Traffic traffic(int inFlight, long completed, double average) {
    return new Traffic(inFlight, completed, OptionalDouble.of(average));
  }

  @Test
  void aFreshObserverHasSeenNothing() {
    LoadSnapshot snapshot = load.snapshot();

    assertThat(snapshot.inbound()).isEqualTo(Traffic.NONE);
    assertThat(snapshot.outbound()).isEqualTo(Traffic.NONE);
    assertThat(snapshot.inbound().averageMillis()).isEmpty();
    assertThat(snapshot.pendingDeliveries()).isZero();
    assertThat(snapshot.observedAt()).isEqualTo(NOON);
  }

  @Test
  void overlappingCallsAreCountedTogether() {
    RoutingLoad.Sample first = load.inbound();
    at(100_010);
    RoutingLoad.Sample second = load.inbound();
    assertThat(load.snapshot().inbound().inFlight()).isEqualTo(2);

    at(100_030);
    first.close();
    assertThat(load.snapshot().inbound()).isEqualTo(traffic(1, 1, 30));

    at(100_050);
    second.close();
    assertThat(load.snapshot().inbound()).isEqualTo(traffic(0, 2, 35));
  }

  @Test
  void finishingTwiceCountsOnce() {
    RoutingLoad.Sample call = load.inbound();
    RoutingLoad.Sample other = load.inbound();
    at(100_030);
    call.close();
    at(100_040);

    call.close();

    assertThat(load.snapshot().inbound()).isEqualTo(traffic(1, 1, 30));
    other.close();
    assertThat(load.snapshot().inbound()).isEqualTo(traffic(0, 2, 35));
  }

  @Test
  void directionsDoNotMixAndTheBacklogPassesThrough() {
    AtomicLong backlog = new AtomicLong(7);
    load.attach(backlog::get);
    long inbound = load.beginInbound();
    at(100_020);
    load.endInbound(inbound);

    LoadSnapshot snapshot = load.snapshot();
    assertThat(snapshot.inbound()).isEqualTo(traffic(0, 1, 20));
    assertThat(snapshot.outbound()).isEqualTo(Traffic.NONE);
    assertThat(snapshot.pendingDeliveries()).isEqualTo(7);
    assertThat(snapshot.window()).isEqualTo(Duration.ofMinutes(1));

    backlog.set(8);
    load.endOutbound(load.beginOutbound());
    assertThat(load.snapshot().outbound()).isEqualTo(traffic(0, 1, 0));
    assertThat(load.snapshot().inbound().completed()).isEqualTo(1);
    assertThat(load.snapshot().pendingDeliveries()).isEqualTo(8);
  }

  @Test
  void aSampleIsGoneSixtySecondsAfterItsSecondBegan() {
    long call = load.beginInbound();
    at(100_999);
    load.endInbound(call);

    at(159_999);
    assertThat(load.snapshot().inbound()).isEqualTo(traffic(0, 1, 999));

    at(160_000);
    assertThat(load.snapshot().inbound()).isEqualTo(Traffic.NONE);
  }

  @Test
  void aSampleAtTheStartOfASecondIsGoneExactlySixtySecondsLater() {
    load.endInbound(load.beginInbound());

    at(159_999);
    assertThat(load.snapshot().inbound().completed()).isEqualTo(1);

    at(160_000);
    assertThat(load.snapshot().inbound()).isEqualTo(Traffic.NONE);
  }

  @Test
  void aCallThatOutlastsTheWindowStaysInFlightAndCountsWholly() {
    long call = load.beginInbound();

    at(160_000);
    assertThat(load.snapshot().inbound()).isEqualTo(new Traffic(1, 0, OptionalDouble.empty()));

    load.endInbound(call);
    assertThat(load.snapshot().inbound()).isEqualTo(traffic(0, 1, 60_000));
  }

  @Test
  void aBucketIsUsedAgainOnlyForALaterSecond() {
    for (int second = 0; second < 200; second++) {
      at(100_000 + 1_000L * second);
      load.endInbound(load.beginInbound());
      assertThat(load.snapshot().inbound().completed()).isEqualTo(Math.min(60, second + 1));
    }
  }

  @Test
  void anObserverOfARestartedShardKnowsNothing() {
    load.endInbound(load.beginInbound());

    LoadSnapshot before = load.snapshot();
    LoadSnapshot after = RoutingLoad.of(ticker, clock()).snapshot();

    assertThat(before.inbound().averageMillis()).isPresent();
    assertThat(after.inbound()).isEqualTo(Traffic.NONE);
    assertThat(after.incarnation()).isNotEqualTo(before.incarnation()).isNotEmpty();
  }

  @Test
  void snapshotsOfOneIncarnationAreNumbered() {
    LoadSnapshot first = load.snapshot();
    LoadSnapshot second = load.snapshot();

    assertThat(second.sequence()).isGreaterThan(first.sequence());
    assertThat(second.incarnation()).isEqualTo(first.incarnation());
  }

  @Test
  void aWallClockThatGoesBackLosesNoSample() {
    at(100_500);
    load.endInbound(load.beginInbound());
    wall.set(NOON.minusSeconds(90));
    at(101_500);
    load.endInbound(load.beginInbound());
    wall.set(NOON.plusSeconds(3_600));
    at(102_500);
    load.endInbound(load.beginInbound());

    LoadSnapshot snapshot = load.snapshot();

    assertThat(snapshot.inbound()).isEqualTo(traffic(0, 3, 0));
    assertThat(snapshot.observedAt()).isEqualTo(NOON.plusSeconds(3_600));
  }

  @Test
  void aTickerThatGoesBackCountsNoNegativeTime() {
    long call = load.beginInbound();
    at(99_000);
    load.endInbound(call);

    assertThat(load.snapshot().inbound()).isEqualTo(traffic(0, 1, 0));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE - 500_000_000, -1, Long.MIN_VALUE, 0})
  void theTickerMayBeginAnywhereAndWrapAround(long start) {
    ticker.set(start);
    RoutingLoad anywhere = RoutingLoad.of(ticker, clock());
    long call = anywhere.beginOutbound();
    ticker.advance(Duration.ofMillis(1_500));
    anywhere.endOutbound(call);
    assertThat(anywhere.snapshot().outbound()).isEqualTo(traffic(0, 1, 1_500));

    ticker.advance(Duration.ofSeconds(59).minusMillis(999));
    assertThat(anywhere.snapshot().outbound().completed()).isEqualTo(1);

    ticker.advance(Duration.ofSeconds(1).plusMillis(999));
    assertThat(anywhere.snapshot().outbound()).isEqualTo(Traffic.NONE);
  }

  @Test
  void theMeanOfCallsBelowAMicrosecondIsRight() {
    // Whole microseconds of one call are 0 or 1; together they are as many as it takes.
    for (int i = 0; i < 1_000; i++) {
      long call = load.beginInbound();
      ticker.advance(Duration.ofNanos(300));
      load.endInbound(call);
      ticker.advance(Duration.ofNanos(77));
    }

    assertThat(load.snapshot().inbound().averageMillis().orElseThrow())
        .isCloseTo(0.0003, within(0.00001));
  }

  @Test
  void thereIsOneBacklog() {
    load.attach(() -> 1);

    assertThatIllegalStateException()
        .isThrownBy(() -> load.attach(() -> 2))
        .withMessageContaining("attached already");
    assertThat(load.snapshot().pendingDeliveries()).isEqualTo(1);
  }

  @Test
  void aBacklogThatIsNotKnownIsNotReportedAsNone() {
    load.attach(
        () -> {
          throw new IllegalStateException("the store is closed");
        });

    assertThatThrownBy(load::snapshot).hasMessage("the store is closed");
  }

  @Test
  void aNegativeBacklogIsRefused() {
    load.attach(() -> -1);

    assertThatThrownBy(load::snapshot).hasMessage("pendingDeliveries must not be negative, was -1");
  }

  @Test
  void callsOfManyThreadsAreAllCounted() throws Exception {
    Threads.together(
        4,
        thread -> {
          for (int i = 0; i < 10_000; i++) {
            long call = load.beginInbound();
            ticker.advance(Duration.ofMillis(1));
            if (i % 10 != 0) {
              load.endInbound(call);
            }
          }
        });

    // 40 s have passed: all of them are within the window.
    assertThat(load.snapshot().inbound().completed()).isEqualTo(4 * 9_000);
    assertThat(load.snapshot().inbound().inFlight()).isEqualTo(4 * 1_000);
  }

  @Test
  void aCallThatEndedIsSeenByWhoLooksAfterwards() throws Exception {
    Threads.together(
        4,
        thread -> {
          for (int i = 1; i <= 2_000; i++) {
            RoutingLoad.Sample call = load.inbound();
            assertThat(load.snapshot().inbound().inFlight()).isPositive();
            call.close();
            assertThat(load.snapshot().inbound().completed()).isGreaterThanOrEqualTo(i);
          }
        });

    assertThat(load.snapshot().inbound()).isEqualTo(traffic(0, 4 * 2_000, 0));
  }
}
