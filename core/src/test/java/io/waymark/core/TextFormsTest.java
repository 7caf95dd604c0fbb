package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.RouteDecision.PassedOver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people read in events, messages and logs. */
class TextFormsTest {
  private final List<Node> nodes = Node.alike(new AtomicLong(), 70);

  @ParameterizedTest
  @CsvSource({"READ, read", "WRITE, write", "TX, tx", "LOCK, lock"})
  void operations(Operation operation, String text) {
    assertThat(operation.text()).isEqualTo(text);
    assertThat(operation).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource({"PRIMARY, primary", "REPLICA, replica"})
  void roles(Role role, String text) {
    assertThat(role.text()).isEqualTo(text);
    assertThat(role).hasToString(text);
  }

  @Nested
  class RouteDecisions {
    @Test
    void aChoiceAmongOthers() {
      RouteDecision decision =
          new RouteDecision(
              Operation.READ,
              "east",
              "auto:east",
              List.of(new PassedOver("west", "behind 1.2 MB"), new PassedOver("north", "drained")));

      assertThat(decision)
          .hasToString("read -> east (auto:east) [west: behind 1.2 MB; north: drained]");
      assertThat(decision.endpoint()).hasValue("east");
      assertThat(decision.operation()).isEqualTo(Operation.READ);
      assertThat(decision.reason()).isEqualTo("auto:east");
    }

    @Test
    void aChoiceAlone() {
      assertThat(new RouteDecision(Operation.TX, "primary", "single-endpoint", List.of()))
          .hasToString("tx -> primary (single-endpoint)");
    }

    @Test
    void aRefusal() {
      RouteDecision decision =
          new RouteDecision(
              Operation.READ, null, "saturated", List.of(new PassedOver("east", "full")));

      assertThat(decision).hasToString("read -> refused (saturated) [east: full]");
      assertThat(decision.endpoint()).isEmpty();
    }

    @Test
    void whoWasPassedOverIsCopied() {
      List<PassedOver> others = new ArrayList<>(List.of(new PassedOver("west", "drained")));
      RouteDecision decision = new RouteDecision(Operation.READ, "east", "auto:east", others);

      others.clear();

      assertThat(decision.passedOver()).containsExactly(new PassedOver("west", "drained"));
      assertThatThrownBy(() -> decision.passedOver().clear())
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void aChoiceNamesItsMemberInItsReason() {
    Reason auto = endpoint -> "auto:" + endpoint;

    assertThat(new Decision.Chosen<>(nodes.get(1), auto).reasonText()).isEqualTo("auto:b");
  }

  @Nested
  class WhatWasTried {
    @Test
    void nothing() {
      assertThat(Tried.NOTHING).hasToString("Tried[failed={}, asked={}]");
      assertThat(Tried.NOTHING.failures()).isZero();
      assertThat(nodes).noneMatch(Tried.NOTHING::hasFailed).noneMatch(Tried.NOTHING::wasAsked);
    }

    @Test
    void membersByTheirOrdinals() {
      Tried tried =
          Tried.NOTHING
              .failed(nodes.get(0))
              .failed(nodes.get(69))
              .failed(nodes.get(69))
              .asked(nodes.get(2));

      assertThat(tried).hasToString("Tried[failed={0, 69}, asked={2}]");
      assertThat(tried.failures()).isEqualTo(2);
      assertThat(nodes.stream().filter(tried::hasFailed))
          .extracting(Node::ordinal)
          .containsExactly(0, 69);
      assertThat(nodes.stream().filter(tried::wasAsked))
          .extracting(Node::ordinal)
          .containsExactly(2);
    }

    @Test
    void addingChangesACopy() {
      Tried before = Tried.NOTHING.failed(nodes.get(0));

      Tried after = before.failed(nodes.get(1)).asked(nodes.get(1));

      assertThat(before).hasToString("Tried[failed={0}, asked={}]");
      assertThat(after).hasToString("Tried[failed={0, 1}, asked={1}]");
      assertThat(Tried.NOTHING).hasToString("Tried[failed={}, asked={}]");
    }
  }

  @Test
  void vitalsShowWhatIsKnown() {
    Vitals vitals = new Vitals(new Circuit(Duration.ofSeconds(1), () -> 0));
    assertThat(vitals).hasToString("Vitals[inFlight=0, latency=none, closed]");

    vitals.started();
    vitals.latency(1_500_000);
    vitals.circuit().failed();
    vitals.circuit().failed();

    assertThat(vitals).hasToString("Vitals[inFlight=1, latency=PT0.0015S, open after 2 failures]");
  }

  @Test
  void aBadOptionStartsWithItsCode() {
    OptionException bad = new OptionException("routing.probe must be positive.");

    assertThat(bad).hasMessage("WM1120: routing.probe must be positive.");
    assertThat(bad.code()).isEqualTo("WM1120");
  }
}
