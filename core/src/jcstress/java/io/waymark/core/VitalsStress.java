package io.waymark.core;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/** Two threads at one member's vitals: nothing is lost. */
public final class VitalsStress {
  private VitalsStress() {}

  private static Vitals fresh() {
    return new Vitals(new Circuit(Duration.ofSeconds(1), () -> 0));
  }

  /** Two calls start. */
  @JCStressTest
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both are counted")
  @State
  public static class BothCallsCount {
    private final Vitals vitals = fresh();

    @Actor
    public void one() {
      vitals.started();
    }

    @Actor
    public void other() {
      vitals.started();
    }

    @Arbiter
    public void count(I_Result r) {
      r.r1 = vitals.inFlight();
    }
  }

  /** One call starts while another comes and goes. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the other was not there, or gone")
  @Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "the other was there")
  @State
  public static class WhoEndsIsCountedDown {
    private final Vitals vitals = fresh();

    @Actor
    public void stays(II_Result r) {
      vitals.started();
      r.r1 = vitals.inFlight();
    }

    @Actor
    public void comesAndGoes() {
      vitals.started();
      vitals.finished();
    }

    @Arbiter
    public void count(II_Result r) {
      r.r2 = vitals.inFlight();
    }
  }

  /** Two first samples at once. */
  @JCStressTest
  @Outcome(id = "1200", expect = Expect.ACCEPTABLE, desc = "1000 first, then 2000")
  @Outcome(id = "1800", expect = Expect.ACCEPTABLE, desc = "2000 first, then 1000")
  @State
  public static class OneSampleIsTheFirst {
    private final Vitals vitals = fresh();

    @Actor
    public void one() {
      vitals.latency(1_000);
    }

    @Actor
    public void other() {
      vitals.latency(2_000);
    }

    @Arbiter
    public void average(J_Result r) {
      r.r1 = vitals.latency().orElse(-1);
    }
  }

  /** A reader sees no average that was never there. */
  @JCStressTest
  @Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "no sample yet")
  @Outcome(id = "1000", expect = Expect.ACCEPTABLE, desc = "the first")
  @Outcome(id = "1200", expect = Expect.ACCEPTABLE, desc = "both")
  @State
  public static class ReadersSeeWholeAverages {
    private final Vitals vitals = fresh();

    @Actor
    public void samples() {
      vitals.latency(1_000);
      vitals.latency(2_000);
    }

    @Actor
    public void reads(J_Result r) {
      r.r1 = vitals.latency().orElse(-1);
    }
  }
}
