package io.waymark.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

class SeededRandomExtensionTest {

  @Test
  void aFailureTellsTheSeed() {
    Throwable failure =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectClass(Failing.class))
            .execute()
            .testEvents()
            .failed()
            .stream()
            .map(Event::getPayload)
            .map(payload -> payload.orElseThrow())
            .map(org.junit.platform.engine.TestExecutionResult.class::cast)
            .map(result -> result.getThrowable().orElseThrow())
            .findFirst()
            .orElseThrow();

    assertThat(failure).hasMessageContaining("on purpose");
    assertThat(failure.getSuppressed()).isNotEmpty();
    assertThat(failure.getSuppressed()[0].getMessage()).contains("repeat with -Dwaymark.seed=");
  }

  /** Not found by the build, whose pattern ends in Test. */
  @ExtendWith(SeededRandomExtension.class)
  static class Failing {
    @Test
    void fails(SeededRandom random) {
      throw new AssertionError("on purpose");
    }
  }
}
