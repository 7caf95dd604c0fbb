package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.testing.SettableTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The one alarm of a store. */
class SchedulerTest {
  private static final Duration POLL = Duration.ofSeconds(15);
  private static final long WHEN_TOLD = Long.MAX_VALUE;

  private final SettableTicker ticker = new SettableTicker();
  private final Scheduler scheduler = new Scheduler(ticker, POLL);

  @AfterEach
  void close() {
    scheduler.close();
  }

  /** Work that remembers when it was asked, in milliseconds. */
  private class Asked implements Scheduler.Work {
    private final List<Long> times = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final long wish;

    Asked(long wish) {
      this.wish = wish;
    }

    @Override
    public long start() {
      times.add(TimeUnit.NANOSECONDS.toMillis(ticker.getAsLong()));
      return wish;
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }

  private Asked attached(String name, long wish) {
    Asked work = new Asked(wish);
    scheduler.attach(name, work);
    return work;
  }

  private void advance(long millis) {
    ticker.advance(Duration.ofMillis(millis));
    scheduler.look();
  }

  private static void askedAt(Asked work, Long... millis) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(work.times).containsExactly(millis));
  }

  @Test
  void theEarliestWishOfAllWakesAll() {
    Asked soon = attached("soon", TimeUnit.MILLISECONDS.toNanos(300));
    Asked late = attached("late", TimeUnit.SECONDS.toNanos(9));
    scheduler.start();
    askedAt(soon, 0L);
    advance(299);
    advance(1);

    askedAt(soon, 0L, 300L);
    askedAt(late, 0L, 300L);
  }

  @Test
  void whatBecomesDueEarlierMovesTheAlarmForwardAndLaterNeverBack() {
    Asked work = attached("work", WHEN_TOLD);
    scheduler.start();
    askedAt(work, 0L);
    scheduler.within(TimeUnit.MILLISECONDS.toNanos(500));
    scheduler.within(TimeUnit.MILLISECONDS.toNanos(200));
    scheduler.within(TimeUnit.MILLISECONDS.toNanos(700));
    advance(200);

    askedAt(work, 0L, 200L);
  }

  @Test
  void whatNobodyToldOfIsLookedForAtEveryPoll() {
    Asked work = attached("work", WHEN_TOLD);
    scheduler.start();
    askedAt(work, 0L);
    advance(14_999);
    advance(1);
    askedAt(work, 0L, 15_000L);
    scheduler.within(TimeUnit.HOURS.toNanos(1));
    advance(15_000);

    askedAt(work, 0L, 15_000L, 30_000L);
  }

  @Test
  void workThatThrowsStopsNeitherTheOthersNorTheAlarm() {
    Asked broken =
        new Asked(WHEN_TOLD) {
          @Override
          public long start() {
            super.start();
            throw new IllegalStateException("the database is away");
          }
        };
    scheduler.attach("broken", broken);
    Asked well = attached("well", WHEN_TOLD);
    scheduler.start();
    askedAt(well, 0L);
    advance(1_000);

    askedAt(broken, 0L, 1_000L);
    askedAt(well, 0L, 1_000L);
  }

  @Test
  void aNameIsAttachedOnceUntilItIsDetached() {
    Asked first = attached("channel letters", WHEN_TOLD);
    Asked second = new Asked(WHEN_TOLD);

    assertThatThrownBy(() -> scheduler.attach("channel letters", second))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("channel letters");
    scheduler.detach("channel letters", second); // it never was
    assertThatThrownBy(() -> scheduler.attach("channel letters", second))
        .isInstanceOf(IllegalStateException.class);
    scheduler.detach("channel letters", first);
    scheduler.attach("channel letters", second);
  }

  @Test
  void closingClosesWhatIsAttachedAndRefusesMore() {
    Asked work = attached("work", WHEN_TOLD);
    scheduler.start();
    scheduler.close();

    assertThat(work.closed).isTrue();
    assertThatThrownBy(() -> scheduler.attach("more", new Asked(WHEN_TOLD)))
        .hasMessageStartingWith("WM2005");
  }
}
