package io.waymark.coordinator;

import io.waymark.topology.Member;
import io.waymark.topology.StateUpdate;

/**
 * Brings a state's value to one member. Called for different members from several threads at once.
 *
 * @param <T> the type of the values
 */
@FunctionalInterface
public interface StateDelivery<T> {
  /**
   * Brings the value to the member, which applies it only if it is newer than what it has: see
   * {@link StateUpdate}. No lock and no transaction is held meanwhile. When it takes too long, the
   * thread is interrupted.
   *
   * @param member as it is now; joining only where {@link
   *     TopologyCoordinatorBuilder#confirmJoining} is on
   * @throws Exception if it may not have arrived; it is tried again, as often as it takes
   */
  void deliver(Member member, StateUpdate<T> update) throws Exception;
}
