package io.waymark.durable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How a key of a channel stands, for operators. The value itself is not shown. Immutable.
 *
 * @param channel the channel's name
 * @param key the key
 * @param version of the newest value that was staged
 * @param pending whether it is yet to be delivered
 * @param deliveredVersion the newest that was delivered; 0 for none that the store remembers
 * @param attempts how often its delivery was begun
 * @param claimedBy the process that is delivering, or was when it died
 * @param lastError what the last attempt failed with
 * @param age since it was staged
 * @param due until the next attempt, or if claimed until the claim ends; negative if that is past
 */
public record ItemStatus(
    String channel,
    String key,
    long version,
    boolean pending,
    long deliveredVersion,
    int attempts,
    Optional<String> claimedBy,
    Optional<String> lastError,
    Duration age,
    Optional<Duration> due) {

  static ItemStatus of(ResultSet row) throws SQLException {
    long now = row.getLong("now");
    long due = row.getLong("due_at");
    Optional<Duration> untilDue = row.wasNull() ? Optional.empty() : Optional.of(between(now, due));
    return new ItemStatus(
        row.getString("channel"),
        row.getString("item_key"),
        row.getLong("version"),
        row.getBoolean("pending"),
        row.getLong("delivered_version"),
        row.getInt("attempts"),
        Optional.ofNullable(row.getString("claim_owner")),
        Optional.ofNullable(row.getString("last_error")),
        between(row.getLong("staged_at"), now),
        untilDue);
  }

  private static Duration between(long fromMicros, long toMicros) {
    return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(toMicros - fromMicros));
  }
}
