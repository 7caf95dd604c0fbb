package io.waymark.publish.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection that is made when it is first needed. A command never waits for a server that is
 * away: without a connection it fails at once, and one that is not answered in time costs the
 * connection, since that may have fallen silent.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what would be lost is handled where it completes
final class RedisLink {
  static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final RedisClient client;
  private final RedisURI uri;
  private final Consumer<StatefulRedisConnection<String, String>> onConnected;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable CompletableFuture<StatefulRedisConnection<String, String>> current;
  private boolean closed;

  /**
   * @param onConnected is told each time that the server was reached, the first included; quick
   */
  RedisLink(
      RedisClient client,
      RedisURI uri,
      Consumer<StatefulRedisConnection<String, String>> onConnected) {
    this.client = client;
    this.uri = uri;
    this.onConnected = onConnected;
  }

  /** Sends a command, once there is a connection. */
  <T> CompletableFuture<T> send(
      Function<StatefulRedisConnection<String, String>, CompletableFuture<T>> command) {
    return connection().thenCompose(connection -> send(connection, command));
  }

  private <T> CompletableFuture<T> send(
      StatefulRedisConnection<String, String> connection,
      Function<StatefulRedisConnection<String, String>, CompletableFuture<T>> command) {
    if (!connection.isOpen()) {
      return CompletableFuture.failedFuture(new NotConnectedException());
    }
    CompletableFuture<T> answer =
        command.apply(connection).copy().orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    answer.whenComplete(
        (result, error) -> {
          if (error instanceof TimeoutException) {
            drop(connection);
          }
        });
    return answer;
  }

  /** The connection; it may be one that Lettuce is about to restore. */
  private CompletableFuture<StatefulRedisConnection<String, String>> connection() {
    lock.lock();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(new IllegalStateException("it is closed"));
      }
      CompletableFuture<StatefulRedisConnection<String, String>> last = current;
      if (last == null || isSpent(last)) {
        last = connect();
        current = last;
      }
      return last;
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<StatefulRedisConnection<String, String>> connect() {
    CompletableFuture<StatefulRedisConnection<String, String>> connected =
        client.connectAsync(StringCodec.UTF8, uri).toCompletableFuture().copy();
    return connected
        .orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .thenApply(
            connection -> {
              connection.addListener(
                  new RedisConnectionStateListener() {
                    @Override
                    public void onRedisConnected(
                        RedisChannelHandler<?, ?> handler, SocketAddress address) {
                      onConnected.accept(connection);
                    }
                  });
              onConnected.accept(connection);
              return connection;
            });
  }

  private static boolean isSpent(
      CompletableFuture<StatefulRedisConnection<String, String>> connecting) {
    if (connecting.isCompletedExceptionally()) {
      return true;
    }
    StatefulRedisConnection<String, String> connection = connecting.getNow(null);
    return connection != null && !connection.isOpen() && !connection.getOptions().isAutoReconnect();
  }

  private void drop(StatefulRedisConnection<String, String> connection) {
    lock.lock();
    try {
      if (current != null && current.getNow(null) == connection) {
        current = null;
      }
    } finally {
      lock.unlock();
    }
    connection.closeAsync();
  }

  void close() {
    CompletableFuture<StatefulRedisConnection<String, String>> last;
    lock.lock();
    try {
      closed = true;
      last = current;
      current = null;
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.thenAccept(StatefulRedisConnection::closeAsync);
    }
  }
}
