package io.waymark.cli;

import io.waymark.durable.ItemStatus;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How something that is to be brought somewhere stands: to the store, or to a member. In JSON too.
 *
 * @param pending whether it has not arrived
 * @param pendingMillis since it was staged; null unless it is pending
 * @param attempts how often it was tried since then
 * @param error what the last attempt said; null for nothing
 */
record Standing(
    boolean pending, @Nullable Long pendingMillis, int attempts, @Nullable String error) {
  static final Standing SETTLED = new Standing(false, null, 0, null);

  static Standing of(Optional<ItemStatus> status) {
    return status.filter(ItemStatus::pending).map(Standing::pending).orElse(SETTLED);
  }

  private static Standing pending(ItemStatus status) {
    return new Standing(
        true,
        status.age().toMillis(),
        status.attempts(),
        status.lastError().map(Standing::oneLine).orElse(null));
  }

  private static String oneLine(String error) {
    return Urls.redacted(error).strip().replaceAll("\\s+", " ");
  }

  /**
   * For people.
   *
   * @param arrived the word for what is not pending
   */
  String text(String arrived) {
    if (!pending || pendingMillis == null) {
      return arrived;
    }
    String since = "pending for " + Text.duration(Duration.ofMillis(pendingMillis));
    return attempts == 0
        ? since + ", not tried yet"
        : since + ", tried " + attempts + " times" + (error == null ? "" : ": " + error);
  }
}
