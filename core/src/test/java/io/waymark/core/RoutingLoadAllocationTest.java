package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoutingLoadAllocationTest {
  @Test
  void countingACallAllocatesNothing() {
    RoutingLoad load = new RoutingLoad();

    double bytes =
        Allocations.leastPerCall(
            i -> {
              load.endInbound(load.beginInbound());
              return i;
            });

    // A second that begins has a bucket; most batches see none begin.
    assertThat(bytes).as("bytes per call").isLessThan(0.1);
    assertThat(load.snapshot().inbound().completed()).isPositive();
  }
}
