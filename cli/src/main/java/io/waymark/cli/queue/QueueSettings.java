package io.waymark.cli.queue;

import java.time.Duration;

/**
 * What the demo of the queue was started with.
 *
 * @param duration how long messages are pushed and processes are troubled
 * @param store where mailboxes are kept
 * @param seed of every choice
 */
public record QueueSettings(Duration duration, Store store, long seed) {
  /** Where mailboxes are kept. */
  public enum Store {
    /** In one database that all hosts share: each mailbox is owned by one of them under a lease. */
    POSTGRES,
    /** In files: each host has a folder of mailboxes of its own. */
    SQLITE
  }

  /** How many processes serve mailboxes. */
  public int hosts() {
    return Place.HOSTS.size();
  }

  /** How many mailboxes there are. */
  public int mailboxes() {
    return Place.MAILBOXES.size();
  }

  /** How many processes push messages. */
  public int producers() {
    return 2;
  }

  /** How many targets each message has, with a process each. */
  public int targets() {
    return Place.TARGETS.size();
  }
}
