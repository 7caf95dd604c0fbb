package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.waymark.core.Rule.Answer;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DecisionAllocationTest {
  /** The decision itself: a header and two references, whatever the compiler leaves of it. */
  private static final long MOST_BYTES = 24;

  private static final int BATCH = 10_000;

  @Test
  void aWarmDecisionAmongThreeAllocatesNoMoreThanItsAnswer() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assumeTrue(threads.isThreadAllocatedMemorySupported());
    List<Node> nodes = Node.alike(new AtomicLong(), 3);
    List<TableRule> rules =
        List.of(new TableRule("one", node -> Answer.YES), new TableRule("two", node -> Answer.YES));
    Decider<Node, Object> decider = new Decider<>(rules);
    Candidates<Node> eligible = Candidates.all(nodes);
    Selector<Node> selector = Selectors.weighted();

    long least = Long.MAX_VALUE;
    for (int round = 0; round < 30; round++) {
      long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      decideOften(decider, eligible, selector);
      long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      least = Math.min(least, after - before);
    }

    assertThat(least / (double) BATCH).as("bytes per decision").isLessThanOrEqualTo(MOST_BYTES);
  }

  private static void decideOften(
      Decider<Node, Object> decider, Candidates<Node> eligible, Selector<Node> selector) {
    for (int i = 0; i < BATCH; i++) {
      decider.decide(eligible, eligible, Tried.NOTHING, selector, Outcome.REASON);
    }
  }
}
