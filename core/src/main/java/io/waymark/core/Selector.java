package io.waymark.core;

/**
 * Picks one of the members that may serve.
 *
 * <p>Selectors may remember (a rotation, a running weight); {@link #peek} must tell what {@link
 * #select} would return without moving that memory; where a selection is drawn at random, what it
 * would most likely return. Implementations are thread safe and never block for longer than a few
 * tens of nanoseconds.
 *
 * @param <M> the members' type
 */
public interface Selector<M extends Member> {
  /**
   * Picks a member and moves on.
   *
   * @param candidates at least one member
   * @return the index of a member that takes part
   */
  int select(Candidates<M> candidates);

  /**
   * What {@link #select} would return now; moves nothing.
   *
   * @param candidates at least one member
   * @return the index of a member that takes part
   */
  int peek(Candidates<M> candidates);

  /**
   * Picks whom to ask for evidence, among members that may turn out not to serve, and moves on. By
   * default it is a selection like any other.
   *
   * @param candidates at least one member
   * @return the index of a member that takes part
   */
  default int selectToAsk(Candidates<M> candidates) {
    return select(candidates);
  }

  /**
   * What {@link #selectToAsk} would return now; moves nothing.
   *
   * @param candidates at least one member
   * @return the index of a member that takes part
   */
  default int peekToAsk(Candidates<M> candidates) {
    return peek(candidates);
  }
}
