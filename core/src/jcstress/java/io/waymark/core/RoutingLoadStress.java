package io.waymark.core;

import java.time.Clock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.JJJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Threads at one observer: samples are neither lost nor doubled, and seconds do not mix. */
public final class RoutingLoadStress {
  private RoutingLoadStress() {}

  private static RoutingLoad fresh() {
    return RoutingLoad.of(() -> 0, Clock.systemUTC());
  }

  /** Two calls end in the same second. */
  @JCStressTest
  @Outcome(id = "2, 30", expect = Expect.ACCEPTABLE, desc = "both are counted")
  @State
  public static class BothEndsCount {
    private final LoadBuckets buckets = new LoadBuckets();

    @Actor
    public void one() {
      buckets.add(0, 10);
    }

    @Actor
    public void other() {
      buckets.add(0, 20);
    }

    @Arbiter
    public void totals(JJ_Result r) {
      LoadBuckets.Totals totals = buckets.totals(0);
      r.r1 = totals.count();
      r.r2 = totals.micros();
    }
  }

  /** The bucket rolls over while another thread adds to the second before. */
  @JCStressTest
  @Outcome(id = "1, 20", expect = Expect.ACCEPTABLE, desc = "only what ended in the new second")
  @State
  public static class ABucketThatRollsOverTakesNothingAlong {
    private final LoadBuckets buckets = new LoadBuckets();

    @Actor
    public void old() {
      buckets.add(0, 10);
    }

    @Actor
    public void young() {
      buckets.add(64, 20);
    }

    @Arbiter
    public void totals(JJ_Result r) {
      LoadBuckets.Totals totals = buckets.totals(64);
      r.r1 = totals.count();
      r.r2 = totals.micros();
    }
  }

  /** The bucket rolls over while two threads add to the new second. */
  @JCStressTest
  @Outcome(id = "2, 50", expect = Expect.ACCEPTABLE, desc = "both of the new second")
  @State
  public static class WhoRollsABucketOverDoesNotLoseTheOther {
    private final LoadBuckets buckets = new LoadBuckets();

    public WhoRollsABucketOverDoesNotLoseTheOther() {
      buckets.add(0, 10);
    }

    @Actor
    public void one() {
      buckets.add(64, 20);
    }

    @Actor
    public void other() {
      buckets.add(64, 30);
    }

    @Arbiter
    public void totals(JJ_Result r) {
      LoadBuckets.Totals totals = buckets.totals(64);
      r.r1 = totals.count();
      r.r2 = totals.micros();
    }
  }

  /** A word is full while two threads add. */
  @JCStressTest
  @Outcome(id = "3, 1", expect = Expect.ACCEPTABLE, desc = "all, one of them in a word of its own")
  @State
  public static class AFullWordLosesNothing {
    private final LoadBuckets buckets = new LoadBuckets();

    public AFullWordLosesNothing() {
      buckets.add(0, LoadBuckets.LONGEST);
    }

    @Actor
    public void one() {
      buckets.add(0, LoadBuckets.LONGEST);
    }

    @Actor
    public void other() {
      buckets.add(0, 1);
    }

    @Arbiter
    public void totals(JJ_Result r) {
      LoadBuckets.Totals totals = buckets.totals(0);
      r.r1 = totals.count();
      r.r2 = totals.micros() - 2 * LoadBuckets.LONGEST;
    }
  }

  /** A reader sees number and sum of the same samples, and of one second only. */
  @JCStressTest
  @Outcome(id = "0, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "neither")
  @Outcome(id = "1, 10, 0, 0", expect = Expect.ACCEPTABLE, desc = "the first, then it was gone")
  @Outcome(id = "0, 0, 1, 20", expect = Expect.ACCEPTABLE, desc = "the second")
  @Outcome(id = "1, 10, 1, 20", expect = Expect.ACCEPTABLE, desc = "each in its own second")
  @State
  public static class ReadersSeeWholeSamples {
    private final LoadBuckets buckets = new LoadBuckets();

    @Actor
    public void ends() {
      buckets.add(0, 10);
      buckets.add(64, 20);
    }

    @Actor
    public void reads(JJJJ_Result r) {
      LoadBuckets.Totals before = buckets.totals(0);
      LoadBuckets.Totals after = buckets.totals(64);
      r.r1 = before.count();
      r.r2 = before.micros();
      r.r3 = after.count();
      r.r4 = after.micros();
    }
  }

  /** A call that ends is in flight, or counted, or both, and never neither. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "under way")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "ended while the reader looked")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "ended")
  @State
  public static class NoCallIsMissed {
    private final RoutingLoad load = fresh();
    private final long started = load.beginInbound();

    @Actor
    public void ends() {
      load.endInbound(started);
    }

    @Actor
    public void reads(II_Result r) {
      LoadSnapshot.Traffic inbound = load.snapshot().inbound();
      r.r1 = inbound.inFlight();
      r.r2 = (int) inbound.completed();
    }
  }

  /** Two threads end the same call. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "once")
  @State
  public static class ACallEndsOnce {
    private final RoutingLoad load = fresh();
    private final RoutingLoad.Sample call = load.inbound();

    @Actor
    public void one() {
      call.close();
    }

    @Actor
    public void other() {
      call.close();
    }

    @Arbiter
    public void count(II_Result r) {
      LoadSnapshot.Traffic inbound = load.snapshot().inbound();
      r.r1 = inbound.inFlight();
      r.r2 = (int) inbound.completed();
    }
  }
}
