package io.waymark.cli.shards;

import io.waymark.topology.GroupSnapshot;

/**
 * What a worker is told to do, as a line on its standard input.
 *
 * @param number of the update; each is used once. {@value #QUESTION} for what is no update
 * @param what is to be done
 * @param member to which member; empty for none
 * @param rate the limit to be set
 */
record Order(long number, Kind what, String member, int rate) {
  /** The number of an order that changes nothing. */
  static final long QUESTION = 0;

  /** What a worker can be told. */
  enum Kind {
    /** Coordinator: set the limit. */
    LIMIT,
    /** Coordinator: change an attribute of the member. */
    CHANGE,
    /** Coordinator: the member gets no new work. */
    DRAIN,
    /** Coordinator: the member is active, and is added where it is not there. */
    ACTIVATE,
    /** Coordinator: the member is not there any more. */
    REMOVE,
    /** Coordinator: all members are active. The last one. */
    SETTLE,
    /** Coordinator: tell what is committed, change nothing. Member: tell what is held. */
    TELL
  }

  /** Whether this would leave nobody who takes work. */
  boolean isLast(GroupSnapshot group) {
    return (what == Kind.DRAIN || what == Kind.REMOVE)
        && group.writeSet().stream().allMatch(each -> each.id().equals(member));
  }
}
