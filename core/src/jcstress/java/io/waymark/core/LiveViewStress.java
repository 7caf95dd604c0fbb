package io.waymark.core;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads at one view. */
public final class LiveViewStress {
  private LiveViewStress() {}

  /** A view with a field that is not final, to see whether it is published safely. */
  private static final class Plain {
    int first;
    int second;

    Plain(int value) {
      first = value;
      second = value;
    }
  }

  /** Two swap at once: one chain of two changes, announced to a listener that needs no lock. */
  @JCStressTest
  @Outcome(id = "\\[0>1, 1>3\\] 3", expect = Expect.ACCEPTABLE, desc = "one order")
  @Outcome(id = "\\[0>2, 2>3\\] 3", expect = Expect.ACCEPTABLE, desc = "the other")
  @State
  public static class ChangesAreOneChain {
    private final LiveView<Integer> view = new LiveView<>(0);
    private final List<String> announced = new ArrayList<>();

    public ChangesAreOneChain() {
      view.onChange((before, after) -> announced.add(before + ">" + after));
    }

    @Actor
    public void one() {
      view.swap(before -> before + 1);
    }

    @Actor
    public void other() {
      view.swap(before -> before + 2);
    }

    @Arbiter
    public void look(L_Result r) {
      r.r1 = announced + " " + view.current();
    }
  }

  /** A reader sees the old view or the new one, whole. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "before")
  @Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "after")
  @State
  public static class ViewsAreSeenWhole {
    private final LiveView<Plain> view = new LiveView<>(new Plain(1));

    @Actor
    public void swaps() {
      view.swap(before -> new Plain(2));
    }

    @Actor
    public void reads(II_Result r) {
      Plain now = view.current();
      r.r1 = now.first;
      r.r2 = now.second;
    }
  }
}
