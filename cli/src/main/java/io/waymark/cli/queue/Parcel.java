package io.waymark.cli.queue;

import java.util.List;

/**
 * A batch, as a mailbox sends it to a target's process.
 *
 * @param items one for each message
 */
record Parcel(List<Item> items) {
  /**
   * One message.
   *
   * @param id as its producer called it
   * @param kind how to take it
   * @param attempt from 1
   */
  record Item(String id, Letter.Kind kind, int attempt) {}

  /** What the target says to one. */
  enum Verdict {
    /** It has it. */
    ACK,
    /** It shall come again. */
    RETRY,
    /** It shall not come again. */
    DEAD
  }

  /**
   * The answer.
   *
   * @param verdicts in the order of the items
   */
  record Answer(List<Verdict> verdicts) {}
}
