package io.waymark.core;

import org.jspecify.annotations.Nullable;

/** What came of one decision, in a form that tests compare: at most one of the three is set. */
record Verdict(@Nullable Node chosen, @Nullable Node ask, @Nullable Rule<Node, Object> blocked) {
  /** What a chosen member is chosen for. */
  static final Reason REASON = endpoint -> "picked:" + endpoint;

  /** Decides for a call. */
  static Verdict decided(
      Decider<Node, Object> decider,
      Candidates<Node> eligible,
      Object request,
      Tried tried,
      Selector<Node> by) {
    return of(
        decider.decide(eligible, request, tried, by, REASON), decider, eligible, request, tried);
  }

  /** Decides, and moves nothing. */
  static Verdict previewed(
      Decider<Node, Object> decider,
      Candidates<Node> eligible,
      Object request,
      Tried tried,
      Selector<Node> by) {
    return of(
        decider.preview(eligible, request, tried, by, REASON), decider, eligible, request, tried);
  }

  private static Verdict of(
      @Nullable Decision<Node> decision,
      Decider<Node, Object> decider,
      Candidates<Node> eligible,
      Object request,
      Tried tried) {
    if (decision == null) {
      return new Verdict(null, null, decider.blocked(eligible, request, tried));
    }
    if (decision instanceof Decision.Chosen<Node> chosen) {
      return new Verdict(chosen.member(), null, null);
    }
    return new Verdict(null, ((Decision.NeedsEvidence<Node>) decision).member(), null);
  }

  @Override
  public String toString() {
    if (chosen != null) {
      return "chosen " + chosen;
    }
    if (ask != null) {
      return "ask " + ask;
    }
    return blocked == null ? "nobody" : "blocked " + blocked;
  }
}
