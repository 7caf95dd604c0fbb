package io.waymark.durable;

import java.util.Objects;
import java.util.UUID;

/**
 * Something to be brought to several targets. Immutable if its body is.
 *
 * @param id what the caller calls it; consumers see it. At most 1,000 bytes of UTF-8, not blank,
 *     without NUL
 * @param deduplicationKey while a message of this key is not settled by all its targets, the same
 *     message is not accepted a second time; bounds as for the id
 * @param body what it says
 * @param <T> the type of the body
 */
public record FanoutMessage<T>(String id, String deduplicationKey, T body) {
  private static final long VERSION = 0x7000;
  private static final long RANDOM_BITS = 0x0fff;

  /** Refuses missing components; what else is wrong is refused when it is to be accepted. */
  public FanoutMessage {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(deduplicationKey, "deduplicationKey");
    Objects.requireNonNull(body, "body");
  }

  /**
   * A message with an id of its own: a UUID that begins with the time (<a
   * href="https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-7">version 7</a>), so that
   * neighbours in time are neighbours in an index.
   */
  public static <T> FanoutMessage<T> of(T body) {
    return of(timeOrderedId(), body);
  }

  /** A message whose id is its deduplication key, too. */
  public static <T> FanoutMessage<T> of(String id, T body) {
    return new FanoutMessage<>(id, id, body);
  }

  /** The same message with another deduplication key. */
  public FanoutMessage<T> withDeduplicationKey(String key) {
    return new FanoutMessage<>(id, key, body);
  }

  private static String timeOrderedId() {
    UUID random = UUID.randomUUID();
    long high =
        (System.currentTimeMillis() << 16)
            | VERSION
            | (random.getMostSignificantBits() & RANDOM_BITS);
    return new UUID(high, random.getLeastSignificantBits()).toString();
  }

  /** The id; the body may be secret. */
  @Override
  public String toString() {
    return "FanoutMessage[" + id + "]";
  }
}
