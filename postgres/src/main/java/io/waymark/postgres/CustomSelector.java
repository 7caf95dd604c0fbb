package io.waymark.postgres;

import io.waymark.core.Candidates;
import io.waymark.core.OptionException;
import io.waymark.core.Selector;
import io.waymark.core.Selectors;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Asks the caller's function, where there are two or more to choose from that may serve. Whom to
 * ask for evidence is not its business: they take turns.
 */
final class CustomSelector implements Selector<Node> {
  private final Select.Function function;
  private final ReplicaRules rules;
  private final Supplier<ReplicaSetView> view;
  private final Selector<Node> turns = Selectors.roundRobin();

  CustomSelector(Select.Function function, ReplicaRules rules, Supplier<ReplicaSetView> view) {
    this.function = function;
    this.rules = rules;
    this.view = view;
  }

  @Override
  public int select(Candidates<Node> candidates) {
    if (candidates.count() == 1) {
      return candidates.first();
    }
    ReplicaSetView now = view.get();
    List<Select.Candidate> shown = new ArrayList<>(candidates.count());
    for (int i = candidates.first(); i < candidates.end(); i++) {
      if (candidates.has(i)) {
        shown.add(candidate(candidates.get(i), now));
      }
    }
    return indexOf(function.select(List.copyOf(shown)), candidates);
  }

  @Override
  public int peek(Candidates<Node> candidates) {
    return select(candidates);
  }

  @Override
  public int selectToAsk(Candidates<Node> candidates) {
    return turns.select(candidates);
  }

  @Override
  public int peekToAsk(Candidates<Node> candidates) {
    return turns.peek(candidates);
  }

  private Select.Candidate candidate(Node node, ReplicaSetView now) {
    long lag = rules.lagBytes(node, now);
    return new Select.Candidate(
        node.name(),
        node.weight(),
        node.vitals().inFlight(),
        node.vitals().latency(),
        lag < 0 ? OptionalLong.empty() : OptionalLong.of(lag));
  }

  private static int indexOf(String name, Candidates<Node> candidates) {
    for (int i = candidates.first(); i < candidates.end(); i++) {
      if (candidates.has(i) && candidates.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new OptionException(
        "routing.select returned " + name + ". It must return the name of a candidate.");
  }
}
