package io.waymark.durable;

import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Outbox#stage} takes: a value for one key of a channel, or the word that nothing is
 * pending for it any more. Made by {@link Channel#item} and {@link Channel#cancellation}.
 * Immutable.
 */
public final class Item {
  /** The order in which rows are locked, by every process alike. */
  static final Comparator<Item> ORDER =
      Comparator.comparing(Item::channel).thenComparing(Item::key);

  private final String channel;
  private final String key;
  private final @Nullable String payload;

  Item(String channel, String key, @Nullable String payload) {
    this.channel = channel;
    this.key = key;
    this.payload = payload;
  }

  /** The name of the channel. */
  public String channel() {
    return channel;
  }

  /** The key. */
  public String key() {
    return key;
  }

  /** Whether it takes back what is pending. */
  public boolean isCancellation() {
    return payload == null;
  }

  @Nullable String payload() {
    return payload;
  }

  boolean sameKey(Item other) {
    return key.equals(other.key) && channel.equals(other.channel);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Item item && sameKey(item) && Objects.equals(payload, item.payload);
  }

  @Override
  public int hashCode() {
    return Objects.hash(channel, key);
  }

  /** Channel and key; the value may be secret. */
  @Override
  public String toString() {
    return channel + "/" + key + (isCancellation() ? " (cancellation)" : "");
  }
}
