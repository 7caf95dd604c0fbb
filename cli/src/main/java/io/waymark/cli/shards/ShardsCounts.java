package io.waymark.cli.shards;

import java.util.List;

/**
 * What has happened and what was found.
 *
 * @param updates changes that a coordinator acknowledged
 * @param unknownUpdates changes without an answer, or with the answer that nobody knows
 * @param crashes processes that were killed
 * @param pauses processes that were stopped and went on later
 * @param published how often the group was published
 * @param reads of readers
 * @param regressionsSeen how often a reader went back to an older snapshot, or lost the group
 * @param deliveries values that arrived at members
 * @param staleDeliveriesApplied how often a member went back to an older value
 * @param p50Micros from a change to a reader's first sight of it; the median
 * @param p99Micros the same, within which all but one in a hundred stayed
 */
public record ShardsCounts(
    long updates,
    long unknownUpdates,
    long crashes,
    long pauses,
    long published,
    long reads,
    long regressionsSeen,
    long deliveries,
    long staleDeliveriesApplied,
    long p50Micros,
    long p99Micros) {

  /**
   * The end of a demo.
   *
   * @param counts what happened
   * @param lostUpdates acknowledged changes that are not in the final state
   * @param membersConverged whether all members ended with the newest value
   * @param readersConverged whether all readers ended with the newest snapshot
   * @param problems what did not hold, as sentences
   */
  public record Outcome(
      ShardsCounts counts,
      long lostUpdates,
      boolean membersConverged,
      boolean readersConverged,
      List<String> problems) {

    /** Whether everything held, and enough was done to tell. */
    public boolean held() {
      return problems.isEmpty();
    }
  }
}
