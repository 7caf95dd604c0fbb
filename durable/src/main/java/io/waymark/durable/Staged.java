package io.waymark.durable;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What was staged in a transaction that is still to be committed by its owner. Immutable.
 *
 * <p>Call {@link #wake()} after the commit, and delivery begins at once; without it, polling finds
 * the rows within seconds.
 */
public final class Staged {
  /**
   * One key that was staged.
   *
   * @param channel the channel's name
   * @param key the key
   * @param version its version from now on; 0 for a cancellation that found nothing pending
   */
  public record Entry(String channel, String key, long version) {}

  private final List<Entry> entries;
  private final Consumer<Iterable<String>> waker;

  Staged(List<Entry> entries, Consumer<Iterable<String>> waker) {
    this.entries = List.copyOf(entries);
    this.waker = waker;
  }

  /** Everything that was staged, in the order of channels and keys. */
  public List<Entry> entries() {
    return entries;
  }

  /**
   * The version of one key.
   *
   * @throws IllegalArgumentException if it was not staged here
   */
  public long version(Channel<?> channel, String key) {
    for (Entry entry : entries) {
      if (entry.key().equals(key) && entry.channel().equals(channel.name())) {
        return entry.version();
      }
    }
    throw new IllegalArgumentException(channel + "/" + key + " was not staged here");
  }

  /**
   * Begins delivery without waiting for it. Call it after the commit; before it, or after a
   * rollback, it does no harm and no good. Never throws.
   */
  public void wake() {
    waker.accept(entries.stream().map(Entry::channel).collect(Collectors.toSet()));
  }
}
