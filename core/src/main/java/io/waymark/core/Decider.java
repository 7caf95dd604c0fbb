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
 *   <li>Otherwise nobody may serve, and {@link #blocked} names the rule that stopped the members
 *       that came furthest.
 * </ol>
 *
 * <p>Thread safe.
 *
 * @param <M> the members' type
 * @param <Q> the requests' type
 */
public final class Decider<M extends Member, Q> {
  private final List<Rule<M, Q>> rules;
  private final AtomicLong turns = new AtomicLong();

  /** Made once: a call allocates no filter of its own. */
  private final Candidates.Filter<M, Q, Tried> passes =
      (member, request, tried) -> !tried.hasFailed(member) && admits(member, request);

  /**
   * @param rules asked in this order; a member is passed over for the first that it does not pass
   */
  public Decider(List<? extends Rule<M, Q>> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * Decides for a call, and moves the selector on if it picks. Where every member passes, nothing
   * is allocated but the decision.
   *
   * @param reason what a member that is chosen is chosen for
   * @return who serves, or who is to be asked for evidence; null where nobody may serve, and then
   *     {@link #blocked} says why
   */
  public @Nullable Decision<M> decide(
      Candidates<M> eligible, Q request, Tried tried, Selector<M> selector, Reason reason) {
    return decide(eligible, request, tried, selector, reason, true);
  }

  /** Decides as {@link #decide} would now, and moves nothing. */
  public @Nullable Decision<M> preview(
      Candidates<M> eligible, Q request, Tried tried, Selector<M> selector, Reason reason) {
    return decide(eligible, request, tried, selector, reason, false);
  }

  private @Nullable Decision<M> decide(
      Candidates<M> eligible,
      Q request,
      Tried tried,
      Selector<M> selector,
      Reason reason,
      boolean moving) {
    Candidates<M> passing = eligible.where(passes, request, tried);
    M asked = picked(passing, tried);
    if (asked != null) {
      return new Decision.Chosen<>(asked, reason);
    }
    if (passing.count() > 0) {
      Candidates<M> open = admitted(passing, moving ? turns.getAndIncrement() : turns.get());
      return new Decision.Chosen<>(pick(open, selector, moving), reason);
    }
    Candidates<M> nearest = nearest(eligible, request, tried);
    return nearest.count() > 0
        ? new Decision.NeedsEvidence<>(
            nearest.get(moving ? selector.selectToAsk(nearest) : selector.peekToAsk(nearest)))
        : null;
  }

  private M pick(Candidates<M> among, Selector<M> selector, boolean moving) {
    return among.get(moving ? selector.select(among) : selector.peek(among));
  }

  /**
   * Why nobody may serve.
   *
   * @return the rule that stopped the members that came furthest; null if there was no member
   */
  public @Nullable Rule<M, Q> blocked(Candidates<M> eligible, Q request, Tried tried) {
    int furthest = -1;
    for (int i = 0; i < eligible.end(); i++) {
      M member = eligible.get(i);
      if (eligible.has(i) && !tried.hasFailed(member)) {
        furthest = Math.max(furthest, firstNotPassed(member, request));
      }
    }
    return furthest < 0 ? null : rules.get(furthest);
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

  /** Leaves out the members whose slow start skips this turn, unless nobody would remain. */
  private Candidates<M> admitted(Candidates<M> passing, long turn) {
    for (int i = passing.first(); i < passing.end(); i++) {
      if (passing.has(i) && !passing.get(i).vitals().circuit().admits(turn)) {
        return withoutSkipped(passing, turn);
      }
    }
    return passing;
  }

  private Candidates<M> withoutSkipped(Candidates<M> passing, Long turn) {
    Candidates<M> rest =
        passing.where((member, now, all) -> member.vitals().circuit().admits(now), turn, passing);
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
