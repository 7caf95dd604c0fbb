package io.waymark.bench.topology;

import org.jspecify.annotations.Nullable;

/**
 * What came of one contender.
 *
 * @param contender its word
 * @param servers what ran
 * @param updatesPerSecond changes that readers could find, by all writers together
 * @param commitToLastMillis from the return of the call that committed a change until the last
 *     reader had it; 0 where that reader was quicker
 * @param callToLastMillis the same from the beginning of that call
 * @param changes how many changes were timed so
 * @param broken why there is no result; null if there is one
 */
public record TopologyResult(
    String contender,
    String servers,
    double updatesPerSecond,
    @Nullable Quantiles commitToLastMillis,
    @Nullable Quantiles callToLastMillis,
    int changes,
    @Nullable String broken) {

  static TopologyResult broken(TopologyContender contender, String why) {
    return new TopologyResult(contender.word(), "", 0, null, null, 0, why);
  }
}
