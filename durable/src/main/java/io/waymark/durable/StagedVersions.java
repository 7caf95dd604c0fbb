package io.waymark.durable;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What was staged, and under which versions: for those who wait for it with {@link
 * Outbox#awaitSettled}. Immutable.
 */
public final class StagedVersions extends Staged {
  /**
   * One key that was staged.
   *
   * @param channel the channel's name
   * @param key the key
   * @param version its version from now on; 0 for a cancellation that found nothing pending
   */
  public record Entry(String channel, String key, long version) {}

  private final List<Entry> entries;

  StagedVersions(List<Entry> entries, Consumer<Iterable<String>> waker) {
    super(entries.stream().map(Entry::channel).collect(Collectors.toSet()), waker);
    this.entries = List.copyOf(entries);
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
}
