package io.waymark.publish.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.waymark.topology.SnapshotListener;
import io.waymark.topology.Stamp;
import io.waymark.topology.internal.Backoff;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of changes, for ever. Lettuce restores a connection that was lost, where it may; one that
 * does not answer a heartbeat, or is not restored by the next, is given up for a new one.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what would be lost is handled where it completes
final class RedisChannel {
  private static final Logger LOG = LoggerFactory.getLogger(RedisChannel.class);

  private final RedisClient client;
  private final RedisURI uri;
  private final RedisKeys keys;
  private final long heartbeatMillis;
  private final ReentrantLock lock = new ReentrantLock();
  private final Backoff backoff = new Backoff();
  private volatile @Nullable SnapshotListener listener;
  private @Nullable StatefulRedisPubSubConnection<String, String> current;
  private boolean closed;

  RedisChannel(RedisClient client, RedisURI uri, RedisKeys keys, Duration heartbeat) {
    this.client = client;
    this.uri = uri;
    this.keys = keys;
    this.heartbeatMillis = heartbeat.toMillis();
  }

  void start(SnapshotListener listener) {
    this.listener = listener;
    connect();
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  private void connect() {
    if (isClosed()) {
      return;
    }
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> connecting;
    try {
      connecting = client.connectPubSubAsync(StringCodec.UTF8, uri).toCompletableFuture();
    } catch (RuntimeException e) {
      connecting = CompletableFuture.failedFuture(e);
    }
    connecting.whenComplete(
        (connection, error) -> {
          if (error == null) {
            connected(connection);
          } else {
            again("it cannot be reached", error);
          }
        });
  }

  private void connected(StatefulRedisPubSubConnection<String, String> connection) {
    lock.lock();
    try {
      if (closed) {
        connection.closeAsync();
        return;
      }
      current = connection;
    } finally {
      lock.unlock();
    }
    connection.addListener(new Messages());
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
            lost("the connection was lost");
          }
        });
    connection
        .async()
        .subscribe(keys.channel())
        .toCompletableFuture()
        .whenComplete(
            (done, error) -> {
              if (error == null) {
                beatLater(connection);
              } else {
                replace(connection, "the channel cannot be subscribed", error);
              }
            });
  }

  private final class Messages extends RedisPubSubAdapter<String, String> {
    @Override
    public void subscribed(String channel, long count) {
      SnapshotListener told = listener;
      if (told != null && !isClosed()) {
        lock.lock();
        try {
          backoff.reset();
        } finally {
          lock.unlock();
        }
        told.listening(); // also when Lettuce has subscribed again
      }
    }

    @Override
    public void message(String channel, String message) {
      SnapshotListener told = listener;
      if (told != null) {
        String[] parts = RedisKeys.parts(message);
        told.changed(parts[0], stamp(parts[1]));
      }
    }
  }

  private static @Nullable Stamp stamp(String text) {
    try {
      return Stamp.parse(text);
    } catch (IllegalArgumentException e) {
      return null; // by somebody else's hand; the group is what counts
    }
  }

  private void beatLater(StatefulRedisPubSubConnection<String, String> connection) {
    schedule(() -> beat(connection), heartbeatMillis);
  }

  private void beat(StatefulRedisPubSubConnection<String, String> connection) {
    if (isClosed()) {
      return;
    }
    connection
        .async()
        .ping()
        .toCompletableFuture()
        .copy()
        .orTimeout(RedisLink.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (pong, error) -> {
              if (error == null) {
                beatLater(connection);
              } else {
                replace(connection, "it does not answer", error);
              }
            });
  }

  private void replace(
      StatefulRedisPubSubConnection<String, String> connection, String why, Throwable error) {
    connection.closeAsync();
    again(why, error);
  }

  private void again(String why, Throwable error) {
    lost(why);
    LOG.debug("the channel {}", keys.channel(), error);
    long delay;
    lock.lock();
    try {
      delay = backoff.next().toMillis();
    } finally {
      lock.unlock();
    }
    schedule(this::connect, delay);
  }

  private void lost(String why) {
    SnapshotListener told = listener;
    if (told != null && !isClosed()) {
      LOG.info("changes on {} are not told for now: {}", keys.channel(), why);
      told.interrupted(why);
    }
  }

  private void schedule(Runnable work, long millis) {
    try {
      client.getResources().eventExecutorGroup().schedule(work, millis, TimeUnit.MILLISECONDS);
    } catch (RuntimeException e) {
      lost("its client was shut down");
    }
  }

  void close() {
    StatefulRedisPubSubConnection<String, String> last;
    lock.lock();
    try {
      closed = true;
      last = current;
      current = null;
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.closeAsync();
    }
  }
}
