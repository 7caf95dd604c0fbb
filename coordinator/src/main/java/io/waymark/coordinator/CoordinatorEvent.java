package io.waymark.coordinator;

import io.waymark.durable.OutboxEvent;
import io.waymark.topology.Stamp;
import java.time.Duration;

/** Something that a coordinator tells its listener. Never holds a state's value. */
public sealed interface CoordinatorEvent {
  /**
   * An attempt to publish a group or to deliver a state ended.
   *
   * @param attempt its channel is {@code waymark.topology} for a publication, and its key the
   *     group's name; or {@code waymark.topology.} and the state's name, and its key a JSON array
   *     of the group and the member
   */
  record Attempted(OutboxEvent attempt) implements CoordinatorEvent {}

  /**
   * The epoch was found to be raised, or was raised by this process, and all groups are published
   * and delivered anew.
   *
   * @param epoch the one that holds now
   */
  record Lifting(long epoch) implements CoordinatorEvent {}

  /**
   * The store holds a stamp of this authority that this database never issued: a part of what was
   * committed was lost.
   */
  record NeverIssued(String group, Stamp found) implements CoordinatorEvent {}

  /** The store holds what another authority published; it stays. */
  record Foreign(String group, Stamp found) implements CoordinatorEvent {}

  /**
   * The store holds a group of this authority that this database does not know. It stays; delete it
   * if nobody needs it.
   */
  record Orphan(String group, Stamp found) implements CoordinatorEvent {}

  /**
   * The store was compared with the database.
   *
   * @param groups how many groups the database has
   * @param again how many of them the store did not hold as they are, so that they are published
   *     again
   */
  record Swept(long groups, long again, Duration took) implements CoordinatorEvent {}
}
