package io.waymark.durable;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Something that happened to a delivery. Never holds the value. Immutable.
 *
 * @param kind what happened
 * @param channel the channel's name
 * @param key the key
 * @param version of the value
 * @param attempt which attempt it was, from 1
 * @param took how long the attempt took
 * @param error what failed, if something did
 * @param next when it is tried again, if that is known
 */
public record OutboxEvent(
    Kind kind,
    String channel,
    String key,
    long version,
    int attempt,
    Duration took,
    Optional<Throwable> error,
    Optional<Duration> next) {

  /** What happened. */
  public enum Kind {
    /** The value arrived. */
    DELIVERED,
    /** The handler asked to be called again. */
    AGAIN,
    /** The handler threw. */
    FAILED,
    /**
     * The stored text is no value of the channel; it is tried again, and a newer one replaces it.
     */
    UNDECODABLE,
    /** The attempt took too long; its thread was interrupted. */
    TIMED_OUT,
    /** An attempt that had taken too long ended after all: what it did happened late. */
    LATE,
    /**
     * When the attempt ended, the claim was somebody else's: this process was held up for longer
     * than its lease, and the key may have been delivered twice.
     */
    CLAIM_LOST;

    /** The text form, as in meters. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Without the error's message, which may hold what the handler put there. */
  @Override
  public String toString() {
    return kind.text() + " " + channel + "/" + key + " version " + version + " attempt " + attempt;
  }
}
