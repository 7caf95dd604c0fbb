package io.waymark.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Askers and the worker at one flight. */
public final class SingleFlightStress {
  private SingleFlightStress() {}

  /** Two ask at once: one question, one wake. */
  @JCStressTest
  @Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "shared")
  @State
  public static class TwoAskersShareOneQuestion {
    private final AtomicInteger wakes = new AtomicInteger();
    private final SingleFlight<Integer> flight = new SingleFlight<>(wakes::incrementAndGet);
    private final CompletableFuture<?>[] asked = new CompletableFuture<?>[2];

    @Actor
    public void one() {
      asked[0] = flight.ask();
    }

    @Actor
    public void other() {
      asked[1] = flight.ask();
    }

    @Arbiter
    public void compare(ZI_Result r) {
      r.r1 = asked[0] == asked[1];
      r.r2 = wakes.get();
    }
  }

  /** One asks while the worker starts: answered now, or waiting with a wake for the next start. */
  @JCStressTest
  @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "joined what then started")
  @Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "came late, is waited for")
  @State
  public static class NobodyIsForgotten {
    private final AtomicInteger wakes = new AtomicInteger();
    private final SingleFlight<Integer> flight = new SingleFlight<>(wakes::incrementAndGet);
    private CompletableFuture<Integer> asked = new CompletableFuture<>();

    @Actor
    public void asks() {
      asked = flight.ask();
    }

    @Actor
    public void starts() {
      flight.start().complete(1);
    }

    @Arbiter
    public void look(ZZI_Result r) {
      r.r1 = asked.isDone();
      r.r2 = flight.isWanted();
      r.r3 = wakes.get();
    }
  }

  /** What was written before the ask is seen by the question that answers it. */
  @JCStressTest
  @Outcome(id = "7, 7", expect = Expect.ACCEPTABLE, desc = "the question came after the write")
  @Outcome(id = "0, -1", expect = Expect.ACCEPTABLE, desc = "asked after the start, not answered")
  @Outcome(id = "7, -1", expect = Expect.ACCEPTABLE, desc = "the write alone was early enough")
  @State
  public static class TheQuestionComesAfterTheAsk {
    private final SingleFlight<Integer> flight = new SingleFlight<>(() -> {});
    private CompletableFuture<Integer> asked = new CompletableFuture<>();
    private int fact;

    @Actor
    public void writesThenAsks() {
      fact = 7;
      asked = flight.ask();
    }

    @Actor
    public void answers(II_Result r) {
      CompletableFuture<Integer> question = flight.start();
      r.r1 = fact;
      question.complete(r.r1);
    }

    @Arbiter
    public void look(II_Result r) {
      r.r2 = asked.getNow(-1);
    }
  }
}
