package io.waymark.cli.queue;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What a worker says, as a line on its standard output. All counts are of this life of it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "said")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Said.Ready.class, name = "ready"),
  @JsonSubTypes.Type(value = Said.Pushed.class, name = "pushed"),
  @JsonSubTypes.Type(value = Said.Serves.class, name = "serves"),
  @JsonSubTypes.Type(value = Said.Took.class, name = "took")
})
sealed interface Said {
  /** It works. */
  record Ready() implements Said {}

  /**
   * A producer.
   *
   * @param accepted messages that a mailbox accepted
   * @param unknown pushes with an unknown outcome, which were made again
   * @param notSent pushes that surely reached nobody, which were made again
   * @param rejected pushes that a mailbox refused
   * @param ended whether it was told to stop, and has no push under way any more
   */
  record Pushed(long accepted, long unknown, long notSent, long rejected, boolean ended)
      implements Said {}

  /**
   * A host.
   *
   * @param mailboxes how many it has open
   * @param pending deliveries that are pending in those
   * @param opened how often it opened one
   * @param fenced how often it found that it had lost one
   */
  record Serves(int mailboxes, long pending, long opened, long fenced) implements Said {}

  /**
   * A consumer.
   *
   * @param messages that it wrote down, those that came again included
   * @param refused those that it gave to the dead letters
   */
  record Took(long messages, long refused) implements Said {}
}
