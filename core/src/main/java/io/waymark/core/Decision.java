package io.waymark.core;

/**
 * What {@code decide} returns: a member, a refusal, or a wish for evidence.
 *
 * @param <M> the members' type
 */
public sealed interface Decision<M extends Member> {
  /**
   * This member serves.
   *
   * @param member who
   * @param reason why
   */
  record Chosen<M extends Member>(M member, Reason reason) implements Decision<M> {
    /** The reason's text form. */
    public String reasonText() {
      return reason.text(member.name());
    }
  }

  /**
   * Nobody may serve.
   *
   * @param reason why
   */
  record Refused<M extends Member>(Reason reason) implements Decision<M> {}

  /**
   * The facts at hand do not let anybody serve, but this member might with fresher ones.
   *
   * @param member who is to be asked
   */
  record NeedsEvidence<M extends Member>(M member) implements Decision<M> {}
}
