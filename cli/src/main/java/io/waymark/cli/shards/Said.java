package io.waymark.cli.shards;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What a worker says, as a line on its standard output. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "said")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Said.Ready.class, name = "ready"),
  @JsonSubTypes.Type(value = Said.Acknowledged.class, name = "acknowledged"),
  @JsonSubTypes.Type(value = Said.Unknown.class, name = "unknown"),
  @JsonSubTypes.Type(value = Said.Published.class, name = "published"),
  @JsonSubTypes.Type(value = Said.Holds.class, name = "holds"),
  @JsonSubTypes.Type(value = Said.Believes.class, name = "believes")
})
sealed interface Said {
  /** It works. */
  record Ready() implements Said {}

  /**
   * A coordinator has committed an update, or tells what is committed.
   *
   * @param number of the order
   * @param stamp of the membership, as text
   * @param members for people
   * @param limits the value
   */
  record Acknowledged(long number, String stamp, String members, Limits limits) implements Said {}

  /**
   * A coordinator does not know whether it has committed an update, or it was refused.
   *
   * @param number of the order
   * @param why for people
   */
  record Unknown(long number, String why) implements Said {}

  /** A coordinator has published the group once. */
  record Published() implements Said {}

  /**
   * A member was delivered a value, or has started; what it holds now is on its disk.
   *
   * @param stamp of the value that it holds, as text; empty for none
   * @param revision of the value that it holds
   * @param rate of the value that it holds
   * @param deliveries how many it was delivered in its whole life
   * @param applied how many of them it applied
   * @param stale how many of those took it back to an older value
   */
  record Holds(String stamp, long revision, int rate, long deliveries, long applied, long stale)
      implements Said {}

  /**
   * A reader's view of the group has changed, or it is a while since it said so.
   *
   * @param stamp of the snapshot, as text; empty while it has none
   * @param members for people
   * @param reads how often this process has asked its client
   * @param micros from the change to here, where this is the first sight of it; else -1
   */
  record Believes(String stamp, String members, long reads, long micros) implements Said {}
}
