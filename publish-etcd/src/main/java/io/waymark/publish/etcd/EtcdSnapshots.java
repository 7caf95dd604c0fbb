package io.waymark.publish.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.etcd.jetcd.Client;
import io.waymark.topology.SnapshotListener;
import io.waymark.topology.SnapshotReader;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads published groups that an {@link EtcdPublisher} writes, and watches them: a change is told
 * within milliseconds. Reads are linearizable, so that they see every write that was acknowledged.
 *
 * <p>The watch is not relied upon: whenever it was interrupted, compacted away or silent, it begins
 * anew and everything that is kept is read again by key.
 *
 * <p>Thread safe.
 */
public final class EtcdSnapshots implements SnapshotReader {
  private final Client client;
  private final EtcdKeys keys;
  private final EtcdWatch watch;
  private volatile boolean closed;

  private EtcdSnapshots(Builder builder) {
    this.client = builder.client;
    this.keys = builder.keys;
    this.watch = new EtcdWatch(client, keys, builder.heartbeat);
  }

  /** Reads under the prefix {@code /waymark/groups/}. */
  public static EtcdSnapshots of(Client client) {
    return builder(client).build();
  }

  /**
   * Configures a reader.
   *
   * @param client may read the keys; it stays the caller's. Its keep-alive notices a connection
   *     that fell silent
   */
  public static Builder builder(Client client) {
    return new Builder(client);
  }

  /** Configures an {@link EtcdSnapshots}. Not thread safe. */
  public static final class Builder {
    private final Client client;
    private EtcdKeys keys = new EtcdKeys(EtcdKeys.DEFAULT_PREFIX);
    private Duration heartbeat = Duration.ofSeconds(10);

    private Builder(Client client) {
      this.client = requireNonNull(client, "client");
    }

    /**
     * What keys begin with; by default {@code /waymark/groups/}. The publisher's must be the same.
     *
     * @throws IllegalArgumentException if it is empty or longer than 200 characters
     */
    public Builder prefix(String prefix) {
      this.keys = new EtcdKeys(prefix);
      return this;
    }

    /**
     * How often the watch is asked for a sign of life, so that one that fell silent is noticed
     * within twice that and five seconds; by default 10 seconds.
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
    public EtcdSnapshots build() {
      return new EtcdSnapshots(this);
    }
  }

  @Override
  public CompletionStage<Optional<String>> read(String group) {
    if (closed) {
      return CompletableFuture.failedFuture(EtcdKeys.closed());
    }
    return EtcdKeys.bounded(client.getKVClient().get(keys.key(group)))
        .thenApply(
            found -> found.getKvs().stream().findFirst().map(kv -> kv.getValue().toString(UTF_8)));
  }

  @Override
  public void watch(SnapshotListener listener) {
    watch.start(listener);
  }

  @Override
  public void close() {
    closed = true;
    watch.close();
  }
}
