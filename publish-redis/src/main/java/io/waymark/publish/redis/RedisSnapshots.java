package io.waymark.publish.redis;

import static java.util.Objects.requireNonNull;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.waymark.topology.SnapshotListener;
import io.waymark.topology.SnapshotReader;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Reads published groups that a {@link RedisPublisher} writes, and hears of changes on a channel,
 * within milliseconds.
 *
 * <p>It uses two connections of its own, one for reads and one to hear. The channel is not durable:
 * whenever its connection was lost, everything that is kept is read again.
 *
 * <p>Thread safe.
 */
public final class RedisSnapshots implements SnapshotReader {
  private final RedisKeys keys;
  private final RedisLink link;
  private final RedisChannel channel;

  private RedisSnapshots(Builder builder) {
    this.keys = builder.keys;
    this.link = new RedisLink(builder.client, builder.uri, connection -> {});
    this.channel = new RedisChannel(builder.client, builder.uri, keys, builder.heartbeat);
  }

  /** Reads under the prefix {@code waymark:group:}. */
  public static RedisSnapshots of(RedisClient client, RedisURI uri) {
    return builder(client, uri).build();
  }

  /**
   * Configures a reader.
   *
   * @param client stays the caller's
   * @param uri where Redis is; the account needs {@code HGET}, {@code SUBSCRIBE} and {@code PING}
   */
  public static Builder builder(RedisClient client, RedisURI uri) {
    return new Builder(client, uri);
  }

  /** Configures a {@link RedisSnapshots}. Not thread safe. */
  public static final class Builder {
    private final RedisClient client;
    private final RedisURI uri;
    private RedisKeys keys = new RedisKeys(RedisKeys.DEFAULT_PREFIX);
    private Duration heartbeat = Duration.ofSeconds(10);

    private Builder(RedisClient client, RedisURI uri) {
      this.client = requireNonNull(client, "client");
      this.uri = requireNonNull(uri, "uri");
    }

    /**
     * What keys and the channel begin with; by default {@code waymark:group:}. The publisher's must
     * be the same.
     *
     * @throws IllegalArgumentException if it is empty, longer than 100 characters, or holds others
     *     than letters, digits and {@code : . _ / { } -}
     */
    public Builder prefix(String prefix) {
      this.keys = new RedisKeys(prefix);
      return this;
    }

    /**
     * How often the server is asked on the connection of the channel whether it is still there, so
     * that a silent loss is noticed within that and five seconds; by default 10 seconds.
     *
     * @throws IllegalArgumentException if it is shorter than a millisecond or longer than a day
     */
    public Builder heartbeat(Duration heartbeat) {
      if (heartbeat.toMillis() < 1 || heartbeat.compareTo(Duration.ofDays(1)) > 0) {
        throw new IllegalArgumentException(
            "heartbeat cannot be " + heartbeat + ". Accepted: from a millisecond to a day");
      }
      this.heartbeat = heartbeat;
      return this;
    }

    /** Builds the reader; it connects when it is first used. */
    public RedisSnapshots build() {
      return new RedisSnapshots(this);
    }
  }

  @Override
  public CompletionStage<Optional<String>> read(String group) {
    return link.send(
            connection ->
                connection.async().hget(keys.key(group), RedisKeys.ENCODED).toCompletableFuture())
        .thenApply(Optional::ofNullable);
  }

  @Override
  public void watch(SnapshotListener listener) {
    channel.start(listener);
  }

  @Override
  public void close() {
    channel.close();
    link.close();
  }
}
