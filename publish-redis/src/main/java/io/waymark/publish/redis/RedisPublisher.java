package io.waymark.publish.redis;

import static java.util.Objects.requireNonNull;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.waymark.topology.Published;
import io.waymark.topology.SnapshotCodec;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.SnapshotStoreException;
import io.waymark.topology.Stamp;
import io.waymark.topology.WriteOutcome;
import io.waymark.topology.WriteRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes published groups into Redis. One script compares the stamp, writes, and tells the readers
 * on a channel; Redis runs nothing beside a script.
 *
 * <p>It compares stamps and can sweep. What it keeps is as durable as the server is configured to
 * be, and a failover may lose what the replica had not received: each time that the server was
 * reached again {@link #onDoubt} is called, so that a sweep can fill in what is missing. A server
 * whose eviction policy may drop any key is warned of.
 *
 * <p>Lettuce may send a command again after a lost connection. That is harmless here: a write that
 * arrives twice is found to be there, and one that arrives late is superseded.
 *
 * <p>Thread safe.
 */
public final class RedisPublisher implements SnapshotPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(RedisPublisher.class);
  private static final long PATIENCE_MILLIS = 2 * RedisLink.TIMEOUT.toMillis() + 1_000;
  private static final int PAGE = 500;

  /** Of a server that drops keys when it is full, whether they expire or not. */
  private static final Pattern EVICTION = Pattern.compile("maxmemory_policy:(allkeys-[a-z-]+)");

  private static final Pattern UNLIMITED = Pattern.compile("maxmemory:0\\s");

  private final RedisKeys keys;
  private final Consumer<String> onWarning;
  private final RedisLink link;
  private final AtomicBoolean connectedBefore = new AtomicBoolean();
  private volatile @Nullable Runnable doubter;

  private RedisPublisher(Builder builder) {
    this.keys = builder.keys;
    this.onWarning = builder.onWarning;
    this.link = new RedisLink(builder.client, builder.uri, this::connected);
  }

  /** Publishes under the prefix {@code waymark:group:}. */
  public static RedisPublisher of(RedisClient client, RedisURI uri) {
    return builder(client, uri).build();
  }

  /**
   * Configures a publisher.
   *
   * @param client stays the caller's
   * @param uri where the primary is; the account needs {@code EVAL}, {@code HMGET}, {@code HGET},
   *     {@code HSET}, {@code PUBLISH}, {@code SCAN}, and {@code INFO} for the warning
   */
  public static Builder builder(RedisClient client, RedisURI uri) {
    return new Builder(client, uri);
  }

  /** Configures a {@link RedisPublisher}. Not thread safe. */
  public static final class Builder {
    private final RedisClient client;
    private final RedisURI uri;
    private RedisKeys keys = new RedisKeys(RedisKeys.DEFAULT_PREFIX);
    private Consumer<String> onWarning = warning -> LOG.warn("{}", warning);

    private Builder(RedisClient client, RedisURI uri) {
      this.client = requireNonNull(client, "client");
      this.uri = requireNonNull(uri, "uri");
    }

    /**
     * What keys and the channel begin with; by default {@code waymark:group:}.
     *
     * @throws IllegalArgumentException if it is empty, longer than 100 characters, or holds others
     *     than letters, digits and {@code : . _ / { } -}
     */
    public Builder prefix(String prefix) {
      this.keys = new RedisKeys(prefix);
      return this;
    }

    /** Is told what is wrong with the server's configuration; by default the log is. */
    public Builder onWarning(Consumer<String> onWarning) {
      this.onWarning = requireNonNull(onWarning, "onWarning");
      return this;
    }

    /** Builds the publisher; it connects when it is first used. */
    public RedisPublisher build() {
      return new RedisPublisher(this);
    }
  }

  private void connected(StatefulRedisConnection<String, String> connection) {
    connection
        .async()
        .info("memory")
        .thenAccept(this::checkEviction)
        .exceptionally(
            error -> {
              LOG.debug("the eviction policy is not known", error);
              return null;
            });
    Runnable told = doubter;
    if (connectedBefore.getAndSet(true) && told != null) {
      told.run();
    }
  }

  private void checkEviction(String memory) {
    Matcher policy = EVICTION.matcher(memory);
    if (policy.find() && !UNLIMITED.matcher(memory).find()) {
      onWarning.accept(
          "Redis may drop published groups: its maxmemory-policy is "
              + policy.group(1)
              + ". Use noeviction or one of the volatile policies.");
    }
  }

  @Override
  public WriteOutcome write(Published published) {
    return put(published, null);
  }

  @Override
  public WriteOutcome replace(Stamp found, Published published) {
    return put(published, WriteRule.replacing(found, published));
  }

  private WriteOutcome put(Published published, @Nullable Stamp replacing) {
    String encoded = SnapshotCodec.encode(published);
    Stamp stamp = published.stamp();
    Stamp replaced = replacing == null ? Stamp.LOCAL : replacing; // nobody's: it matches nothing
    String[] arguments = {
      stamp.authority(),
      Long.toString(stamp.epoch()),
      Long.toString(stamp.version()),
      encoded,
      replaced.authority(),
      Long.toString(replaced.epoch()),
      Long.toString(replaced.version()),
      keys.channel(),
      RedisKeys.message(published.group(), stamp.toString())
    };
    AtomicBoolean sent = new AtomicBoolean();
    try {
      List<String> found =
          await(
              connection -> {
                sent.set(true);
                return connection
                    .async()
                    .<List<String>>eval(
                        RedisKeys.WRITE,
                        ScriptOutputType.MULTI,
                        new String[] {keys.key(published.group())},
                        arguments)
                    .toCompletableFuture();
              });
      return found.isEmpty() ? WriteOutcome.applied() : superseded(found);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      boolean refused = cause instanceof RedisCommandExecutionException || !sent.get();
      return refused ? new WriteOutcome.NotWritten(cause) : new WriteOutcome.Uncertain(cause);
    } catch (TimeoutException e) {
      return new WriteOutcome.Uncertain(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new WriteOutcome.Uncertain(e);
    }
  }

  private static WriteOutcome superseded(List<String> found) {
    return new WriteOutcome.Superseded(
        new Stamp(found.get(0), Long.parseLong(found.get(1)), Long.parseLong(found.get(2))));
  }

  private <T> T await(
      Function<StatefulRedisConnection<String, String>, CompletableFuture<T>> command)
      throws ExecutionException, TimeoutException, InterruptedException {
    return link.send(command).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public boolean comparesStamps() {
    return true;
  }

  @Override
  public boolean canSweep() {
    return true;
  }

  @Override
  public void sweep(BiConsumer<String, Stamp> each) {
    ScanArgs arguments = ScanArgs.Builder.limit(PAGE).match(keys.pattern());
    ScanCursor cursor = ScanCursor.INITIAL;
    try {
      do {
        ScanCursor from = cursor;
        KeyScanCursor<String> page =
            await(c -> c.async().scan(from, arguments).toCompletableFuture());
        stamps(page.getKeys()).forEach(each);
        cursor = page;
      } while (!cursor.isFinished());
    } catch (ExecutionException | TimeoutException e) {
      throw new SnapshotStoreException("what Redis holds cannot be read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SnapshotStoreException("the sweep was interrupted", e);
    }
  }

  /** The stamps of one page; what is no snapshot is left out, as if it were not there. */
  private Map<String, Stamp> stamps(List<String> page)
      throws ExecutionException, TimeoutException, InterruptedException {
    List<CompletableFuture<String>> texts = new ArrayList<>(page.size());
    for (String key : page) {
      texts.add(
          link.send(c -> c.async().hget(key, RedisKeys.ENCODED).toCompletableFuture())
              .exceptionally(RedisPublisher::notOurs));
    }
    Map<String, Stamp> stamps = new LinkedHashMap<>();
    for (int i = 0; i < page.size(); i++) {
      String group = keys.group(page.get(i));
      String text = texts.get(i).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      if (text != null) {
        WriteRule.stampOf(group, text).ifPresent(stamp -> stamps.put(group, stamp));
      }
    }
    return stamps;
  }

  /** A key of another type is somebody else's; any other failure is one. */
  private static @Nullable String notOurs(Throwable error) {
    Throwable cause = error.getCause() == null ? error : error.getCause();
    if (cause instanceof RedisCommandExecutionException
        && String.valueOf(cause.getMessage()).startsWith("WRONGTYPE")) {
      return null;
    }
    throw new CompletionException(cause);
  }

  @Override
  public void onDoubt(Runnable listener) {
    this.doubter = listener;
  }

  @Override
  public void close() {
    link.close();
  }
}
