package io.waymark.bench.peers;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.waymark.bench.Median;

/** What one contender came to in one scenario of one round. One line of JSON each. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Result.Timed.class, name = "timed"),
  @JsonSubTypes.Type(value = Result.OwnWrites.class, name = "ownWrites"),
  @JsonSubTypes.Type(value = Result.Outage.class, name = "outage"),
  @JsonSubTypes.Type(value = Result.Broken.class, name = "broken")
})
public sealed interface Result {
  /** In which scenario. */
  Scenario scenario();

  /**
   * What a call took.
   *
   * @param scenario which
   * @param ratio as a multiple of the same call through HikariCP alone
   * @param controlMicros what that one took, the median
   * @param pairs how many blocks were compared
   */
  record Timed(Scenario scenario, Median ratio, double controlMicros, int pairs)
      implements Result {}

  /**
   * Whether reads showed what the same thread had committed before.
   *
   * @param reads how many were answered
   * @param stale how many of them showed less
   * @param failed how many reads and writes threw
   */
  record OwnWrites(int reads, int stale, int failed) implements Result {
    @Override
    public Scenario scenario() {
      return Scenario.OWN_WRITES;
    }
  }

  /**
   * What reads came to that began after a replica went away.
   *
   * @param scenario how it went away
   * @param reads how many began
   * @param failed how many threw
   * @param hung how many had neither answered nor thrown when they were given up
   * @param slowestMillis the longest that one took, failed ones included
   * @param overASecond how many took longer than a second
   * @param failure what the first that failed said; empty if none did
   */
  record Outage(
      Scenario scenario,
      int reads,
      int failed,
      int hung,
      double slowestMillis,
      int overASecond,
      String failure)
      implements Result {}

  /**
   * There is no result.
   *
   * @param scenario of what
   * @param why not
   */
  record Broken(Scenario scenario, String why) implements Result {}
}
