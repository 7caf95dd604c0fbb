package io.waymark.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The part of {@code decide} that all products share: asks the rules about each eligible member,
 * then lets the selector pick among those that pass.
 *
 * <p>Pure but for the selector's own memory: no input or output, no waiting. A product puts its own
 * table (forced roles, fallbacks) around it.
 *
 * <p>The steps:
 *
 * <ol>
 *   <li>Members that failed this request already are left out.
 *   <li>A member that was asked for evidence last, and that every rule admits now, serves: the
 *       selector picked it when it was asked.
 *   <li>A member that every rule admits is a candidate; so is nobody else. A member in slow start
 *       takes part in a share of the selections only, unless nobody else passes.
 *   <li>With no candidate: among the members that some rule is unsure about, no rule refuses and
 *       nobody asked yet, the selector picks one of the nearest to be asked for evidence.
 *   <li>Otherwise nobody may serve, and {@link Outcome#blocked} names the rule that stopped the
 *       members that came furthest.
 * </ol>
 *
 * <p>Thread safe.
 *
 * @param <M> the members' type
 * @param <Q> the requests' type
 */
public final class Decider<M extends Member, Q> {
  /**
   * What came of it: at most one of the three is set.
   *
   * @param chosen who serves
   * @param ask who is to be asked for evidence
   * @param blocked the rule that the members which came furthest did not pass; null also when there
   *     was no member to ask
   */
  public record Outcome<M extends Member, Q>(
      @Nullable M chosen, @Nullable M ask, @Nullable Rule<M, Q> blocked) {}

  private final List<Rule<M, Q>> rules;
  private final AtomicLong turns = new AtomicLong();

  /**
   * @param rules asked in this order; a member is passed over for the first that it does not pass
   */
  public Decider(List<? extends Rule<M, Q>> rules) {
    this.rules = List.copyOf(rules);
  }

  /** Decides for a call, and moves the selector on if it picks. */
  public Outcome<M, Q> decide(
      Candidates<M> eligible, Q request, Tried tried, Selector<M> selector) {
    Candidates<M> passing = passing(eligible, request, tried);
    M asked = picked(passing, tried);
    if (asked != null) {
      return new Outcome<>(asked, null, null);
    }
    if (passing.count() > 0) {
      Candidates<M> open = admitted(passing, turns.getAndIncrement());
      return new Outcome<>(open.get(selector.select(open)), null, null);
    }
    Candidates<M> nearest = nearest(eligible, request, tried);
    return nearest.count() > 0
        ? new Outcome<>(null, nearest.get(selector.select(nearest)), null)
        : new Outcome<>(null, null, furthest(eligible, request, tried));
  }

  /** Decides as {@link #decide} would now, and moves nothing. */
  public Outcome<M, Q> preview(
      Candidates<M> eligible, Q request, Tried tried, Selector<M> selector) {
    Candidates<M> passing = passing(eligible, request, tried);
    M asked = picked(passing, tried);
    if (asked != null) {
      return new Outcome<>(asked, null, null);
    }
    if (passing.count() > 0) {
      Candidates<M> open = admitted(passing, turns.get());
      return new Outcome<>(open.get(selector.peek(open)), null, null);
    }
    Candidates<M> nearest = nearest(eligible, request, tried);
    return nearest.count() > 0
        ? new Outcome<>(null, nearest.get(selector.peek(nearest)), null)
        : new Outcome<>(null, null, furthest(eligible, request, tried));
  }

  /** Whether every rule admits this member on the facts at hand. */
  public boolean admits(M member, Q request) {
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).ask(member, request) != Rule.Answer.YES) {
        return false;
      }
    }
    return true;
  }

  /** Why this member would be passed over, for people; null where every rule admits it. */
  public @Nullable String explain(M member, Q request) {
    for (Rule<M, Q> rule : rules) {
      if (rule.ask(member, request) != Rule.Answer.YES) {
        return rule.explain(member, request);
      }
    }
    return null;
  }

  /** Whether fresher evidence could let this member serve. */
  public boolean wouldAsk(M member, Q request) {
    return firstUnsure(member, request) >= 0;
  }

  private Candidates<M> passing(Candidates<M> eligible, Q request, Tried tried) {
    return eligible.where(member -> !tried.hasFailed(member) && admits(member, request));
  }

  /** Leaves out the members whose slow start skips this turn, unless nobody would remain. */
  private Candidates<M> admitted(Candidates<M> passing, long turn) {
    Candidates<M> rest = passing.where(member -> member.vitals().circuit().admits(turn));
    return rest.count() == 0 ? passing : rest;
  }

  /** The selector has picked already, when it said whom to ask: picking twice would skew it. */
  private @Nullable M picked(Candidates<M> passing, Tried tried) {
    if (tried != Tried.NOTHING) {
      for (int i = Math.max(0, passing.first()); i < passing.end(); i++) {
        if (passing.has(i) && tried.wasAskedLast(passing.get(i))) {
          return passing.get(i);
        }
      }
    }
    return null;
  }

  /** The members that evidence is worth asking of first. */
  private Candidates<M> nearest(Candidates<M> eligible, Q request, Tried tried) {
    List<M> nearest = new ArrayList<>(eligible.count());
    long nearness = Long.MIN_VALUE;
    for (int i = 0; i < eligible.end(); i++) {
      M member = eligible.get(i);
      int unsure =
          !eligible.has(i) || tried.hasFailed(member) || tried.wasAsked(member)
              ? -1
              : firstUnsure(member, request);
      if (unsure < 0) {
        continue;
      }
      long near = rules.get(unsure).nearness(member, request);
      if (near > nearness) {
        nearest.clear();
        nearness = near;
      }
      if (near == nearness) {
        nearest.add(member);
      }
    }
    return Candidates.all(nearest);
  }

  /** The rule that stopped the members that came furthest; null if there is no member. */
  private @Nullable Rule<M, Q> furthest(Candidates<M> eligible, Q request, Tried tried) {
    int furthest = -1;
    for (int i = 0; i < eligible.end(); i++) {
      M member = eligible.get(i);
      if (eligible.has(i) && !tried.hasFailed(member)) {
        furthest = Math.max(furthest, firstNotPassed(member, request));
      }
    }
    return furthest < 0 ? null : rules.get(furthest);
  }

  /** The first rule that is unsure about a member that no rule refuses; -1 if there is none. */
  private int firstUnsure(M member, Q request) {
    int unsure = -1;
    for (int i = 0; i < rules.size(); i++) {
      Rule.Answer answer = rules.get(i).ask(member, request);
      if (answer == Rule.Answer.NO) {
        return -1;
      }
      if (answer == Rule.Answer.UNSURE && unsure < 0) {
        unsure = i;
      }
    }
    return unsure;
  }

  private int firstNotPassed(M member, Q request) {
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).ask(member, request) != Rule.Answer.YES) {
        return i;
      }
    }
    // Facts do not change within a view, but a rule may read vitals: it passes by now.
    return rules.size() - 1;
  }
}
