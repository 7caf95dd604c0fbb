package io.waymark.durable;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that was claimed, with its message.
 *
 * @param seq the number of the delivery
 * @param message the number of the message
 * @param attempt counts attempts from 1
 * @param age since it was accepted
 * @param dead if it is meant for the dead letters
 */
record FanoutRow(
    long seq,
    long message,
    int attempt,
    String messageId,
    String generation,
    String body,
    long acceptedMicros,
    Duration age,
    @Nullable String lastError,
    @Nullable Dead dead) {
  /** Since when it is a dead letter, and why. */
  record Dead(StoredMessage.Reason reason, long sinceMicros) {}
}
