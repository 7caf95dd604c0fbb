package io.waymark.core;

import java.time.Duration;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads at one rotation. */
public final class RoundRobinStress {
  private static final List<Place> PLACES = List.of(new Place(0), new Place(1), new Place(2));

  private RoundRobinStress() {}

  private record Place(int ordinal) implements Member {
    private static final Vitals VITALS = new Vitals(new Circuit(Duration.ofSeconds(1), () -> 0));

    @Override
    public String name() {
      return "place-" + ordinal;
    }

    @Override
    public double weight() {
      return 1;
    }

    @Override
    public Vitals vitals() {
      return VITALS;
    }
  }

  /** Two turns among three: nobody serves twice, and the third is next. */
  @JCStressTest
  @Outcome(id = "0, 1, 2", expect = Expect.ACCEPTABLE, desc = "one order")
  @Outcome(id = "1, 0, 2", expect = Expect.ACCEPTABLE, desc = "the other")
  @State
  public static class EveryTurnIsTakenOnce {
    private final Selector<Place> selector = Selectors.roundRobin();

    @Actor
    public void one(III_Result r) {
      r.r1 = selector.select(Candidates.all(PLACES));
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = selector.select(Candidates.all(PLACES));
    }

    @Arbiter
    public void next(III_Result r) {
      r.r3 = selector.peek(Candidates.all(PLACES));
    }
  }
}
