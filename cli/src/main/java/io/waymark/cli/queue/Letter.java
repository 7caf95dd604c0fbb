package io.waymark.cli.queue;

/**
 * A message.
 *
 * @param customer whose mailbox it goes to, always the same one
 * @param kind how its consumer takes it
 */
record Letter(String customer, Kind kind) {
  /** How a consumer takes a message. */
  enum Kind {
    /** At once. */
    PLAIN,
    /** At the second attempt. */
    LATE,
    /** Never: it goes to the dead letters. */
    POISON
  }
}
