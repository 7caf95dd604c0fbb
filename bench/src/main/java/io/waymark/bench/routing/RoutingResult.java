package io.waymark.bench.routing;

import io.waymark.bench.Median;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of one contender among one number of members.
 *
 * @param contender its word
 * @param members among how many it chose
 * @param figures for each number of threads
 * @param broken why there is no result; null if there is one
 */
public record RoutingResult(
    String contender, int members, List<Figures> figures, @Nullable String broken) {

  /**
   * A pick and its release, by Waymark and by the contender in turns.
   *
   * @param threads how many picked at once
   * @param waymarkNanos the time in which one was made by one of the threads
   * @param nanos the same of the contender
   * @param ratio how many times as long the contender took
   * @param waymarkBytes what one allocated; 0 where that is not known, with several threads
   * @param bytes the same of the contender
   */
  public record Figures(
      int threads,
      Median waymarkNanos,
      Median nanos,
      Median ratio,
      double waymarkBytes,
      double bytes) {}

  static RoutingResult broken(RoutingContender contender, int members, String why) {
    return new RoutingResult(contender.word(), members, List.of(), why);
  }
}
