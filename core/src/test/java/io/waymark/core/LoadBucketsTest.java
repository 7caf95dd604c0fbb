package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.LoadBuckets.Totals;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LoadBucketsTest {
  private static final int SECONDS = 300;

  private final LoadBuckets buckets = new LoadBuckets();

  @Test
  void whoComesLateDoesNotCountInASecondThatIsNotItsOwn() {
    buckets.add(64, 20);
    buckets.add(0, 10);

    assertThat(buckets.totals(64)).isEqualTo(new Totals(1, 20));
    assertThat(buckets.totals(0)).isEqualTo(new Totals(0, 0));
  }

  @Test
  void whatEndedAfterwardsIsNotSeen() {
    buckets.add(10, 5);
    buckets.add(11, 7);

    assertThat(buckets.totals(10)).isEqualTo(new Totals(1, 5));
    assertThat(buckets.totals(9)).isEqualTo(new Totals(0, 0));
  }

  @Test
  void whoLooksASecondLateStillFindsTheOldestBucket() {
    buckets.add(1, 5);
    buckets.add(61, 7);

    assertThat(buckets.totals(60)).isEqualTo(new Totals(1, 5));
  }

  @Test
  void durationsThatFillAWordAreAddedUpElsewhere() {
    for (int i = 0; i < 10; i++) {
      buckets.add(0, LoadBuckets.LONGEST);
      buckets.add(0, 1);
    }

    assertThat(buckets.totals(0)).isEqualTo(new Totals(20, 10 * LoadBuckets.LONGEST + 10));
  }

  @Test
  void moreCallsThanAWordCountsAreCountedElsewhere() {
    int calls = 10_000_000;
    for (int i = 0; i < calls; i++) {
      buckets.add(0, 3);
    }

    assertThat(buckets.totals(0)).isEqualTo(new Totals(calls, 3L * calls));
  }

  @Test
  void aDurationBeyondTheLongestCountsAsTheLongest() {
    buckets.add(0, Long.MAX_VALUE);

    assertThat(buckets.totals(0)).isEqualTo(new Totals(1, LoadBuckets.LONGEST));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("io.waymark.core.Seeds#few")
  void threadsThatMeetLoseNothingWhileBucketsRollOver(long seed) throws Exception {
    AtomicLongArray counts = new AtomicLongArray(SECONDS);
    AtomicLongArray sums = new AtomicLongArray(SECONDS);
    AtomicLong turns = new AtomicLong();
    int each = 20_000;
    int threads = 4;

    Threads.together(
        threads,
        thread -> {
          Random random = new Random(seed + thread);
          for (int i = 0; i < each; i++) {
            // Time moves with the work of all; who is a little late adds to a second before.
            long now = turns.incrementAndGet() * SECONDS / (each * threads + 1);
            int second = (int) Math.max(0, now - random.nextInt(3));
            int micros = random.nextInt(1_000_000);
            buckets.add(second, micros);
            counts.incrementAndGet(second);
            sums.addAndGet(second, micros);
          }
        });

    long count = 0;
    long micros = 0;
    for (int second = SECONDS - LoadBuckets.WINDOW; second < SECONDS; second++) {
      count += counts.get(second);
      micros += sums.get(second);
    }
    assertThat(buckets.totals(SECONDS - 1))
        .as("seed %d", seed)
        .isEqualTo(new Totals(count, micros));
  }

  @Test
  void aReaderSeesBothOfASampleOrNeither() throws Exception {
    Threads.together(
        4,
        thread -> {
          for (int i = 0; i < 20_000; i++) {
            if (thread == 0) {
              Totals totals = buckets.totals(0);
              assertThat(totals.micros()).isEqualTo(17 * totals.count());
            } else {
              buckets.add(0, 17);
            }
          }
        });

    assertThat(buckets.totals(0).count()).isEqualTo(3 * 20_000);
  }
}
