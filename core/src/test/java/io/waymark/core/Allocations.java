package io.waymark.core;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntUnaryOperator;

/** What calls allocate on the thread that makes them, once they are warm. */
final class Allocations {
  private static final int BATCH = 10_000;
  private static final int ROUNDS = 30;

  /** Read by nobody, so that the compiler cannot know that the calls are for nothing. */
  static volatile int sink;

  private Allocations() {}

  /**
   * Bytes per call in the best of a few batches.
   *
   * @param call is given its number; what it returns is used
   */
  static double leastPerCall(IntUnaryOperator call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assumeTrue(threads.isThreadAllocatedMemorySupported());
    long id = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getThreadAllocatedBytes(id);
      int results = 0;
      for (int i = 0; i < BATCH; i++) {
        results ^= call.applyAsInt(i);
      }
      sink = results;
      least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
    }
    return (double) least / BATCH;
  }
}
