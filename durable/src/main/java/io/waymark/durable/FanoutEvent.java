package io.waymark.durable;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Something that happened to a message at a target. Never holds the body. Immutable.
 *
 * <p>Events are told to whoever listens in this process, when it happens; a crash swallows some,
 * and nothing depends on them.
 *
 * @param kind what happened
 * @param fanout the fan-out's name
 * @param target the target
 * @param messageId what its sender called the message; empty where no message is meant
 * @param id as {@link StoredMessage#id}; empty where no message is meant
 * @param attempt which attempt it was, from 1
 * @param took how long the attempt took so far
 * @param error what failed, if something did
 * @param next when it is tried again, if that is known
 */
public record FanoutEvent(
    Kind kind,
    String fanout,
    String target,
    String messageId,
    String id,
    int attempt,
    Duration took,
    Optional<String> error,
    Optional<Duration> next) {

  /** What happened. */
  public enum Kind {
    /** An attempt was begun. */
    STARTED,
    /** The target has it: acknowledged, or written. */
    DELIVERED,
    /** The callback asked for it to be tried again. */
    RETRIED,
    /** The callback threw, or returned without settling it. */
    FAILED,
    /** The stored text is no body of this fan-out's type; it is tried again as after a failure. */
    UNDECODABLE,
    /** The attempt took too long; its thread was interrupted. */
    TIMED_OUT,
    /** An attempt that had taken too long ended after all: what it did happened late. */
    LATE,
    /** It will not be delivered any more, since the callback said so. */
    DEAD_LETTERED,
    /** It will not be delivered any more: all attempts failed. */
    EXHAUSTED,
    /** A dead letter was written, and is gone from here. */
    DEAD_LETTER_STORED,
    /** A dead letter could not be written; it is tried again. */
    DEAD_LETTER_FAILED,
    /** There is work for a target that is not configured here. */
    TARGET_MISSING,
    /**
     * When the attempt ended, the claim was somebody else's: this process was held up for longer
     * than its lease, and the message may have been delivered twice.
     */
    CLAIM_LOST;

    /** The text form, as in meters. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Without the error, which may hold what the callback put there. */
  @Override
  public String toString() {
    return kind.text() + " " + messageId + " for " + fanout + "/" + target + " attempt " + attempt;
  }
}
