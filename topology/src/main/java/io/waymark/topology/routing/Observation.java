package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * What a shard said of its load, stamped with the receiver's own time.
 *
 * @param load what it said
 * @param receivedAt when it arrived, by this process's ticker: the shard's clock is never compared
 * @param others calls under way there then that are not this process's
 * @param former the incarnation that was heard before this one; empty if there was none
 */
record Observation(LoadSnapshot load, long receivedAt, double others, String former) {

  /** An observation that arrives now, where so many of this process's calls are under way there. */
  static Observation of(LoadSnapshot load, long now, int own, @Nullable Observation before) {
    // Its own calls are counted as they are; what the shard says adds those of others.
    double others = Math.max(0, load.inbound().inFlight() - own) + load.outbound().inFlight();
    return new Observation(load, now, others, former(load, before));
  }

  private static String former(LoadSnapshot load, @Nullable Observation before) {
    if (before == null) {
      return "";
    }
    return before.load.incarnation().equals(load.incarnation())
        ? before.former
        : before.load.incarnation();
  }

  /**
   * Whether this load tells later news than what is known: a later number of the same incarnation,
   * or another incarnation that is not the one that was left. Where a shard does not number what it
   * says, the order of arrival counts.
   */
  static boolean isNews(LoadSnapshot load, @Nullable Observation known) {
    if (known == null || load.incarnation().isEmpty()) {
      return true;
    }
    return load.incarnation().equals(known.load.incarnation())
        ? load.sequence() > known.load.sequence()
        : !load.incarnation().equals(known.former);
  }
}
