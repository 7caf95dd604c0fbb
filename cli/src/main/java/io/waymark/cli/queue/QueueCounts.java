package io.waymark.cli.queue;

import java.util.List;

/**
 * What has happened, as the processes say.
 *
 * @param accepted messages that a mailbox accepted
 * @param unknown pushes whose outcome nobody knew, which were made again under the same ids
 * @param notSent pushes that surely reached nobody, which were made again
 * @param rejected pushes that a mailbox refused
 * @param taken deliveries that a consumer wrote down, those that came again included
 * @param opened how often a host opened a mailbox
 * @param fenced how often a host found that it had lost a mailbox, and did nothing
 * @param pending deliveries that are pending in mailboxes that are open
 * @param kills processes that were killed
 * @param pauses processes that were stopped and went on later
 */
public record QueueCounts(
    long accepted,
    long unknown,
    long notSent,
    long rejected,
    long taken,
    long opened,
    long fenced,
    long pending,
    long kills,
    long pauses) {

  /**
   * The end of a demo. What is compared here is what producers and consumers wrote down themselves.
   *
   * @param counts what happened
   * @param accepted messages that were accepted
   * @param delivered pairs of an accepted message and a target that has it
   * @param duplicatesByKey deliveries of a message to a target that had it already
   * @param lost pairs of an accepted message and a target that neither has it nor refused it
   * @param deadLettered accepted messages that their consumer refused, and that are in the dead
   *     letters
   * @param unconfirmed messages that were delivered, and whose producer was killed before it wrote
   *     down that they were accepted
   * @param drainMillis from the end of the trouble until everything was delivered
   * @param problems what did not hold, as sentences
   */
  public record Outcome(
      QueueCounts counts,
      long accepted,
      long delivered,
      long duplicatesByKey,
      long lost,
      long deadLettered,
      long unconfirmed,
      long drainMillis,
      List<String> problems) {

    /** Whether everything held, and enough was done to tell. */
    public boolean held() {
      return problems.isEmpty();
    }
  }
}
