package io.waymark.core;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Two threads at one circuit: every run is one of the two orders. */
public final class CircuitStress {
  private CircuitStress() {}

  private static Circuit closed() {
    return new Circuit(Duration.ofSeconds(1), () -> 0);
  }

  private static Circuit failedOnce() {
    Circuit circuit = closed();
    circuit.failed();
    return circuit;
  }

  private static Circuit open() {
    Circuit circuit = failedOnce();
    circuit.failed();
    return circuit;
  }

  /** Two calls fail: one of them opens the circuit and knows it. */
  @JCStressTest
  @Outcome(id = "true, false, 2", expect = Expect.ACCEPTABLE, desc = "the first was the second")
  @Outcome(id = "false, true, 2", expect = Expect.ACCEPTABLE, desc = "the second was the second")
  @State
  public static class OneOfTwoFailuresOpens {
    private final Circuit circuit = closed();

    @Actor
    public void one(ZZI_Result r) {
      r.r1 = circuit.failed();
    }

    @Actor
    public void other(ZZI_Result r) {
      r.r2 = circuit.failed();
    }

    @Arbiter
    public void count(ZZI_Result r) {
      r.r3 = circuit.isOpen() ? circuit.failures() : -1;
    }
  }

  /** A success beside the second failure. */
  @JCStressTest
  @Outcome(id = "true, 2", expect = Expect.ACCEPTABLE, desc = "failure first: opened, stays open")
  @Outcome(id = "false, 1", expect = Expect.ACCEPTABLE, desc = "success first: one failure")
  @State
  public static class SuccessNeverClosesWhatAFailureOpened {
    private final Circuit circuit = failedOnce();

    @Actor
    public void fails(ZI_Result r) {
      r.r1 = circuit.failed();
    }

    @Actor
    public void succeeds() {
      circuit.succeeded();
    }

    @Arbiter
    public void count(ZI_Result r) {
      r.r2 = circuit.failures();
    }
  }

  /** A trial succeeds beside the failure of a call that was under way. */
  @JCStressTest
  @Outcome(id = "true, 0", expect = Expect.ACCEPTABLE, desc = "the failure came while open")
  @Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "the failure came after")
  @State
  public static class TheTrialCloses {
    private final Circuit circuit = open();

    @Actor
    public void trial(ZI_Result r) {
      r.r1 = circuit.trialSucceeded();
    }

    @Actor
    public void fails() {
      circuit.failed();
    }

    @Arbiter
    public void count(ZI_Result r) {
      r.r2 = circuit.isOpen() ? -1 : circuit.failures();
    }
  }

  /** Two trials succeed: one of them closes the circuit and knows it. */
  @JCStressTest
  @Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "the one closed")
  @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "the other closed")
  @State
  public static class OneOfTwoTrialsCloses {
    private final Circuit circuit = open();

    @Actor
    public void one(ZZZ_Result r) {
      r.r1 = circuit.trialSucceeded();
    }

    @Actor
    public void other(ZZZ_Result r) {
      r.r2 = circuit.trialSucceeded();
    }

    @Arbiter
    public void state(ZZZ_Result r) {
      r.r3 = circuit.isOpen();
    }
  }

  /** The end of slow start, noticed by a reader, beside a failure: the failure is not forgotten. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "counted")
  @State
  public static class TheEndOfSlowStartForgetsNoFailure {
    private final Circuit circuit;

    public TheEndOfSlowStartForgetsNoFailure() {
      long[] now = {0};
      circuit = new Circuit(Duration.ofNanos(1), () -> now[0]);
      circuit.failed();
      circuit.failed();
      circuit.trialSucceeded();
      now[0] = Circuit.SLOW_START_PROBES;
    }

    @Actor
    public void notices() {
      circuit.share();
    }

    @Actor
    public void fails() {
      circuit.failed();
    }

    @Arbiter
    public void count(I_Result r) {
      r.r1 = circuit.failures();
    }
  }
}
