package io.waymark.core;

/**
 * Asks one question about one member for one request: may it serve?
 *
 * <p>Rules are pure: they look at the member's facts as of one view and at the request, do no input
 * or output and block nobody. A rule that cannot tell from the facts at hand but could be convinced
 * by fresher ones answers {@link Answer#UNSURE}.
 *
 * @param <M> the members' type
 * @param <Q> the requests' type
 */
public interface Rule<M extends Member, Q> {
  /** What a rule says. */
  enum Answer {
    /** The member may serve, as far as this rule goes. */
    YES,
    /** The member may not serve. */
    NO,
    /** Not on the facts at hand; fresher evidence could show that it may. */
    UNSURE
  }

  /** May this member serve this request? */
  Answer ask(M member, Q request);

  /**
   * Why the member is passed over, in a few words for people; asked only when the answer was not
   * {@link Answer#YES}.
   */
  String explain(M member, Q request);

  /**
   * How near an {@link Answer#UNSURE} member seems to a yes. The nearest are asked for evidence
   * first; the selector picks among equals.
   */
  default long nearness(M member, Q request) {
    return 0;
  }
}
