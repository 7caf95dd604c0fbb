package io.waymark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CircuitTest {
  private static final Duration PROBE = Duration.ofSeconds(1);

  private final AtomicLong ticker = new AtomicLong();
  private final Circuit circuit = new Circuit(PROBE, ticker::get);

  /** Events: f and s are a call's failure and success, F and S a trial's. */
  @ParameterizedTest(name = "after \"{0}\", \"{1}\" answers {2}: {3}, {4} failures")
  @CsvSource({
    // before, event, what the event answers, state, failures in a row
    "'',    s, -,     closed,  0",
    "'',    S, false, closed,  0",
    "'',    f, false, closed,  1",
    "'',    F, false, closed,  1",
    "f,     s, -,     closed,  0",
    "f,     S, false, closed,  0",
    "f,     f, true,  open,    2",
    "f,     F, true,  open,    2",
    "F,     f, true,  open,    2",
    "F,     F, true,  open,    2",
    "fs,    f, false, closed,  1",
    "fS,    F, false, closed,  1",
    "ff,    s, -,     open,    2",
    "ff,    S, true,  warming, 0",
    "ff,    f, false, open,    2",
    "ff,    F, false, open,    3",
    "ffF,   s, -,     open,    3",
    "ffF,   S, true,  warming, 0",
    "ffS,   s, -,     warming, 0",
    "ffS,   S, false, warming, 0",
    "ffS,   f, false, warming, 1",
    "ffSf,  s, -,     warming, 0",
    "ffSf,  S, false, warming, 0",
    "ffSf,  f, true,  open,    2",
    "ffSfs, f, false, warming, 1",
  })
  void theStateTable(String before, char event, String answer, String state, int failures) {
    before.chars().forEach(c -> happens((char) c));

    assertThat(happens(event)).isEqualTo(answer);

    assertThat(circuit.isOpen()).isEqualTo(state.equals("open"));
    assertThat(circuit.share() < 1).isEqualTo(state.equals("warming"));
    assertThat(circuit.failures()).isEqualTo(failures);
    assertThat(circuit).asString().startsWith(state);
  }

  private String happens(char event) {
    return switch (event) {
      case 'f' -> String.valueOf(circuit.failed());
      case 'F' -> String.valueOf(circuit.trialFailed());
      case 'S' -> String.valueOf(circuit.trialSucceeded());
      case 's' -> {
        circuit.succeeded();
        yield "-";
      }
      default -> throw new IllegalArgumentException("no event " + event);
    };
  }

  @Nested
  class Delays {
    @ParameterizedTest(name = "probe {0}: {1}")
    @CsvSource({
      "PT1S,   1 1 2 4 8 16 30 30 30 30 30 30",
      "PT0.5S, 0.5 0.5 1 2 4 8 16 30 30 30 30 30",
      "PT10S,  10 10 20 30 30 30",
      "PT1M,   60 60 60 60 60",
      "PT0.1S, 0.1 0.1 0.2 0.4 0.8 1.6 3.2 6.4 12.8 25.6 25.6 25.6",
    })
    void doubleUpToThirtySecondsAndAreNeverBelowTheProbe(Duration probe, String seconds) {
      Circuit failing = new Circuit(probe, ticker::get);

      for (String expected : seconds.split(" ", -1)) {
        assertThat(failing.nextDelay(at(0.5)).toNanos() / 1e9)
            .as("after %d failures", failing.failures())
            .isCloseTo(Double.parseDouble(expected), within(1e-6));
        failing.trialFailed();
      }
    }

    @ParameterizedTest(name = "random {0}: {1} and {2}")
    @CsvSource({"0, 0.9, 1.8", "0.25, 0.95, 1.9", "0.5, 1, 2", "0.75, 1.05, 2.1", "1, 1.1, 2.2"})
    void areSpreadByATenth(double random, double closed, double open) {
      assertThat(circuit.nextDelay(at(random)).toNanos() / 1e9).isCloseTo(closed, within(1e-6));

      circuit.trialFailed();
      circuit.trialFailed();

      assertThat(circuit.nextDelay(at(random)).toNanos() / 1e9).isCloseTo(open, within(1e-6));
    }

    @Test
    void aSuccessfulTrialBringsTheOrdinaryDelayBack() {
      for (int i = 0; i < 5; i++) {
        circuit.trialFailed();
      }

      circuit.trialSucceeded();

      assertThat(circuit.nextDelay(at(0.5))).isEqualTo(PROBE);
    }

    @Test
    void callsThatWereUnderWayWhenTheCircuitOpenedDoNotPutTheTrialOff() {
      for (int i = 0; i < 10; i++) {
        circuit.failed(); // ten connections to a server that was killed
      }

      assertThat(circuit.nextDelay(at(0.5))).isEqualTo(PROBE.multipliedBy(2));
    }

    @Test
    void veryLongProbesDoNotOverflow() {
      Circuit rare = new Circuit(Duration.ofDays(3_650), ticker::get);
      rare.trialFailed();
      rare.trialFailed();

      assertThat(rare.nextDelay(at(0.5))).isEqualTo(Duration.ofDays(3_650));
    }

    private RandomGenerator at(double fraction) {
      return new RandomGenerator() {
        @Override
        public long nextLong() {
          throw new UnsupportedOperationException();
        }

        @Override
        public double nextDouble() {
          return fraction;
        }
      };
    }
  }

  @Nested
  class Unproven {
    private static final Duration SLOW_START = Duration.ofSeconds(4);

    private final Circuit unproven = Circuit.unproven(PROBE, 3, SLOW_START, ticker::get);

    @Test
    void itsSlowStartBeginsWithItsFirstSuccessHoweverLongItWasKnown() {
      ticker.addAndGet(Duration.ofHours(1).toNanos());
      assertThat(unproven.share()).isEqualTo(0.1);

      unproven.succeeded();

      ticker.addAndGet(Duration.ofSeconds(3).toNanos());
      assertThat(unproven.share()).isEqualTo(0.75);
      ticker.addAndGet(Duration.ofSeconds(1).toNanos());
      assertThat(unproven.share()).isEqualTo(1);
    }

    @Test
    void aTrialThatSucceedsIsAFirstSuccessToo() {
      assertThat(unproven.trialSucceeded()).isFalse();

      ticker.addAndGet(Duration.ofSeconds(2).toNanos());
      assertThat(unproven.share()).isEqualTo(0.5);
    }

    @Test
    void itOpensAtTheNumberOfFailuresThatWasGivenAndStartsAgainWhenItCloses() {
      assertThat(unproven.failed()).isFalse();
      assertThat(unproven.failed()).isFalse();
      assertThat(unproven.failed()).isTrue();
      assertThat(
              unproven.nextDelay(
                  new Random() {
                    @Override
                    public double nextDouble() {
                      return 0.5;
                    }
                  }))
          .isEqualTo(PROBE.multipliedBy(2));

      assertThat(unproven.trialSucceeded()).isTrue();

      assertThat(unproven.share()).isEqualTo(0.1);
    }

    @Test
    void withoutSlowStartItTakesPartLikeAnyOther() {
      Circuit atOnce = Circuit.unproven(PROBE, 1, Duration.ZERO, ticker::get);

      assertThat(atOnce.share()).isEqualTo(1);
      atOnce.failed();
      atOnce.trialSucceeded();
      assertThat(atOnce.share()).isEqualTo(1);
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
      assertThatThrownBy(() -> Circuit.unproven(PROBE, 0, SLOW_START, ticker::get))
          .hasMessage("at least 1 failure opens, not 0");
      assertThatThrownBy(() -> Circuit.unproven(PROBE, 1, Duration.ofSeconds(-1), ticker::get))
          .hasMessage("slow start must not be negative, was PT-1S");
    }
  }

  @Nested
  class SlowStart {
    @ParameterizedTest(name = "after {0} probe intervals: {1}")
    @CsvSource({"0, 0.1", "0.5, 0.1", "1, 0.1", "2, 0.2", "5, 0.5", "9.9, 0.99", "10, 1", "99, 1"})
    void theShareGrowsWithTimeAndSlowStartEnds(double probes, double share) {
      reopened();

      pass(probes);

      assertThat(circuit.share()).isCloseTo(share, within(1e-9));
    }

    @Test
    void doesNotComeBackOnceItIsOver() {
      reopened();
      pass(Circuit.SLOW_START_PROBES);
      assertThat(circuit.share()).isEqualTo(1);

      ticker.set(0);

      assertThat(circuit.share()).isEqualTo(1);
      assertThat(circuit).hasToString("closed");
    }

    @Test
    void worksOnATickerThatIsNegativeAndWrapsAround() {
      ticker.set(Long.MAX_VALUE - 10);
      reopened();

      pass(5);

      assertThat(ticker.get()).isNegative();
      assertThat(circuit.share()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void oneFailureOnTheWayDoesNotEndIt() {
      reopened();
      pass(3);

      circuit.failed();
      assertThat(circuit.share()).isCloseTo(0.3, within(1e-9));

      circuit.succeeded();
      assertThat(circuit.share()).isCloseTo(0.3, within(1e-9));
    }

    @Test
    void itsEndDoesNotForgetAFailure() {
      reopened();
      circuit.failed();
      pass(Circuit.SLOW_START_PROBES);

      assertThat(circuit.share()).isEqualTo(1);

      assertThat(circuit.failures()).isEqualTo(1);
    }

    @ParameterizedTest(name = "after {0} probe intervals")
    @ValueSource(ints = {1, 3, 5, 8})
    void inTheLongRunTheShareIsAdmitted(int probes) {
      reopened();
      pass(probes);
      int turns = 100_000;

      int admitted = 0;
      for (int turn = 0; turn < turns; turn++) {
        admitted += circuit.admits(turn) ? 1 : 0;
      }

      assertThat(admitted / (double) turns).isCloseTo(circuit.share(), within(0.005));
    }

    @ParameterizedTest(name = "every {0}th turn")
    @ValueSource(ints = {2, 3, 4, 7, 10})
    void whoComesUpInEveryNthTurnIsAdmittedNoMoreNorLessThanOthers(int n) {
      reopened();
      pass(2);
      int turns = 50_000;

      int admitted = 0;
      for (long turn = 1; turn <= turns; turn++) {
        admitted += circuit.admits(turn * n) ? 1 : 0;
      }

      assertThat(admitted / (double) turns).isCloseTo(circuit.share(), within(0.01));
    }

    @Test
    void askingAgainForTheSameTurnGetsTheSameAnswer() {
      reopened();
      pass(5);

      for (int turn = 0; turn < 100; turn++) {
        assertThat(circuit.admits(turn)).isEqualTo(circuit.admits(turn));
      }
    }

    @Test
    void aMemberThatNeverFailedIsAdmittedInEveryTurn() {
      for (int turn = 0; turn < 100; turn++) {
        assertThat(circuit.admits(turn)).isTrue();
      }
    }

    private void reopened() {
      circuit.failed();
      circuit.failed();
      circuit.trialSucceeded();
    }

    private void pass(double probes) {
      ticker.addAndGet((long) (probes * PROBE.toNanos()));
    }
  }

  @Test
  void amongManyThreadsOneOpensTheCircuitAndOneClosesIt() throws Exception {
    for (int round = 0; round < 200; round++) {
      Circuit contended = new Circuit(PROBE, ticker::get);
      AtomicInteger opened = new AtomicInteger();
      AtomicInteger closed = new AtomicInteger();

      Threads.together(3, thread -> opened.addAndGet(contended.failed() ? 1 : 0));
      Threads.together(3, thread -> closed.addAndGet(contended.trialSucceeded() ? 1 : 0));

      assertThat(opened).hasValue(1);
      assertThat(closed).hasValue(1);
    }
  }
}
