package io.waymark.cli.simulation;

import io.waymark.core.Candidates;
import io.waymark.core.Circuit;
import io.waymark.core.LoadSnapshot;
import io.waymark.core.Member;
import io.waymark.core.Selector;
import io.waymark.core.Selectors;
import io.waymark.core.Vitals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A caller with the product's two choices and nothing else. */
final class SelectorCaller implements Caller {
  private final Selector<Place> selector;
  private final Candidates<Place> candidates;

  private SelectorCaller(int members, Selector<Place> selector) {
    this.selector = selector;
    List<Place> all = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      all.add(new Place(i, new Vitals(new Circuit(Duration.ofSeconds(1), () -> 0))));
    }
    this.candidates = Candidates.all(List.copyOf(all));
  }

  /** Compares what it has under way itself. */
  static SelectorCaller counting(int members, RandomGenerator random) {
    return new SelectorCaller(
        members, Selectors.twoChoices(place -> place.vitals().inFlight(), random));
  }

  /** Compares what stands on a board, whose entries others change. */
  static SelectorCaller reading(int[] board, RandomGenerator random) {
    return new SelectorCaller(
        board.length, Selectors.twoChoices(place -> board[place.ordinal()], random));
  }

  @Override
  public Call begin() {
    Place picked = candidates.get(selector.select(candidates));
    picked.vitals.started();
    return picked;
  }

  /** A member as the selector sees it. A call to it ends as any other does. */
  private record Place(int ordinal, Vitals vitals) implements Member, Call {
    @Override
    public String name() {
      return "shard-" + ordinal;
    }

    @Override
    public double weight() {
      return 1;
    }

    @Override
    public int member() {
      return ordinal;
    }

    @Override
    public void answered(@Nullable LoadSnapshot load) {
      vitals.finished();
    }

    @Override
    public void failed() {
      vitals.finished();
    }
  }
}
