package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.Rule.Answer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DecisionAllocationTest {
  /** The decision itself: a header and two references, whatever the compiler leaves of it. */
  private static final long MOST_BYTES = 24;

  @Test
  void aWarmDecisionAmongThreeAllocatesNoMoreThanItsAnswer() {
    List<Node> nodes = Node.alike(new AtomicLong(), 3);
    List<TableRule> rules =
        List.of(new TableRule("one", node -> Answer.YES), new TableRule("two", node -> Answer.YES));
    Decider<Node, Object> decider = new Decider<>(rules);
    Candidates<Node> eligible = Candidates.all(nodes);
    Selector<Node> selector = Selectors.weighted();

    double bytes =
        Allocations.leastPerCall(
            i ->
                decider.decide(eligible, eligible, Tried.NOTHING, selector, Verdict.REASON) == null
                    ? 0
                    : 1);

    assertThat(bytes).as("bytes per decision").isLessThanOrEqualTo(MOST_BYTES);
  }
}
