package io.waymark.durable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How one message stands at one target, for operators. The body is not shown. Immutable.
 *
 * @param number rises in the order of acceptance, as far as one process accepts
 * @param target the target
 * @param messageId what its sender called it
 * @param id as {@link StoredMessage#id}
 * @param attempts how often a delivery was begun
 * @param deadLetter why it is meant for the dead letters, if it is
 * @param claimedBy the process that is delivering, or was when it died
 * @param lastError what the last attempt failed with
 * @param age since it was accepted
 * @param due until the next attempt, or if claimed until the claim ends; negative if that is past
 */
public record DeliveryStatus(
    long number,
    String target,
    String messageId,
    String id,
    int attempts,
    Optional<StoredMessage.Reason> deadLetter,
    Optional<String> claimedBy,
    Optional<String> lastError,
    Duration age,
    Duration due) {

  static DeliveryStatus of(String target, ResultSet row) throws SQLException {
    return new DeliveryStatus(
        row.getLong("seq"),
        target,
        row.getString("message_id"),
        row.getString("generation") + "/" + target,
        row.getInt("attempts"),
        Optional.ofNullable(row.getString("dead_reason")).map(StoredMessage.Reason::valueOf),
        Optional.ofNullable(row.getString("claim_owner")),
        Optional.ofNullable(row.getString("last_error")),
        micros(row.getLong("age")),
        micros(row.getLong("due")));
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(micros));
  }
}
