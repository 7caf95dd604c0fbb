package io.waymark.topology.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pick costs, and what is left when threads meet; its time is measured elsewhere. */
class PickCostTest {
  /** What a pick returns: a header, two references, a time and two flags. */
  private static final long MOST_BYTES = 40;

  private static final int BATCH = 10_000;

  private static ShardPicker picker(int shards) {
    return ShardPicker.builder()
        .members(IntStream.range(0, shards).mapToObj(i -> ShardMember.of("s" + i)).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 1_000})
  void aPickAndItsEndAllocateNothingButThePick(int shards) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assumeTrue(threads.isThreadAllocatedMemorySupported());
    ShardPicker picker = picker(shards);
    long thread = Thread.currentThread().getId();

    long least = Long.MAX_VALUE;
    for (int round = 0; round < 30; round++) {
      long before = threads.getThreadAllocatedBytes(thread);
      for (int i = 0; i < BATCH; i++) {
        picker.pick().answered(null);
      }
      least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
    }

    assertThat(least / (double) BATCH).as("bytes for each pick").isLessThanOrEqualTo(MOST_BYTES);
  }

  @Test
  void threadsThatMeetLeaveNothingUnderWay() throws Exception {
    ShardPicker picker = picker(8);
    ExecutorService executor = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        running.add(executor.submit(() -> callOften(picker, random)));
      }
      running.add(executor.submit(() -> comeAndGo(picker)));
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      executor.shutdownNow();
    }

    assertThat(picker.inspect().passedOver())
        .hasSize(7)
        .allMatch(one -> one.reason().startsWith("0 in flight") || one.reason().startsWith("left"));
  }

  private static void callOften(ShardPicker picker, SplittableRandom random) {
    List<Pick> open = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      open.add(picker.pick());
      if (open.size() > 4) {
        end(open.remove(random.nextInt(open.size())), random);
      }
    }
    open.forEach(pick -> end(pick, random));
  }

  private static void end(Pick pick, SplittableRandom random) {
    switch (random.nextInt(8)) {
      case 0 -> pick.failed();
      case 1 -> pick.abandoned();
      case 2 -> pick.answered(null);
      default -> pick.answered(Loads.pending(random.nextInt(100)).snapshot());
    }
  }

  /** The last of the members leaves and comes back, again and again. */
  private static void comeAndGo(ShardPicker picker) {
    for (int i = 0; i < 2_000; i++) {
      int shards = 7 + i % 2;
      picker.members(IntStream.range(0, shards).mapToObj(n -> ShardMember.of("s" + n)).toList());
    }
  }
}
