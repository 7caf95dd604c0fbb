package io.waymark.publish.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.GetOption.SortOrder;
import io.etcd.jetcd.options.GetOption.SortTarget;
import io.etcd.jetcd.options.OptionsUtil;
import io.etcd.jetcd.options.PutOption;
import io.waymark.topology.Published;
import io.waymark.topology.SnapshotCodec;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.SnapshotStoreException;
import io.waymark.topology.Stamp;
import io.waymark.topology.WriteOutcome;
import io.waymark.topology.WriteRule;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes published groups into etcd: reads what is stored, and replaces it in a transaction if it
 * is still the same; else looks again.
 *
 * <p>It compares stamps, keeps what it holds across restarts, and can sweep. A group's encoded form
 * must fit into a request, 1.5 MiB unless the server is configured otherwise.
 *
 * <p>Thread safe.
 */
public final class EtcdPublisher implements SnapshotPublisher {
  /** Writers of one group are few; each attempt that fails means that another has written. */
  private static final int ATTEMPTS = 100;

  private static final int PAGE = 100;

  /** With which etcd refuses a transaction that it has not applied. */
  private static final Set<ErrorCode> REFUSALS =
      EnumSet.of(
          ErrorCode.INVALID_ARGUMENT,
          ErrorCode.PERMISSION_DENIED,
          ErrorCode.UNAUTHENTICATED,
          ErrorCode.RESOURCE_EXHAUSTED,
          ErrorCode.FAILED_PRECONDITION,
          ErrorCode.UNIMPLEMENTED);

  private final Client client;
  private final EtcdKeys keys;
  private volatile boolean closed;

  private EtcdPublisher(Client client, EtcdKeys keys) {
    this.client = client;
    this.keys = keys;
  }

  /** Publishes under the prefix {@code /waymark/groups/}. */
  public static EtcdPublisher of(Client client) {
    return builder(client).build();
  }

  /**
   * Configures a publisher.
   *
   * @param client may read and write the keys; it stays the caller's
   */
  public static Builder builder(Client client) {
    return new Builder(client);
  }

  /** Configures an {@link EtcdPublisher}. Not thread safe. */
  public static final class Builder {
    private final Client client;
    private EtcdKeys keys = new EtcdKeys(EtcdKeys.DEFAULT_PREFIX);

    private Builder(Client client) {
      this.client = requireNonNull(client, "client");
    }

    /**
     * What keys begin with; by default {@code /waymark/groups/}.
     *
     * @throws IllegalArgumentException if it is empty or longer than 200 characters
     */
    public Builder prefix(String prefix) {
      this.keys = new EtcdKeys(prefix);
      return this;
    }

    /** Builds the publisher; it connects when it is first used. */
    public EtcdPublisher build() {
      return new EtcdPublisher(client, keys);
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
    if (closed) {
      return new WriteOutcome.NotWritten(EtcdKeys.closed());
    }
    boolean sent = false;
    try {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        sent = false;
        Optional<KeyValue> stored = find(published.group());
        String text = stored.map(kv -> kv.getValue().toString(UTF_8)).orElse(null);
        Optional<WriteOutcome> judged = WriteRule.judge(text, published, encoded, replacing);
        if (judged.isPresent()) {
          return judged.get();
        }
        sent = true;
        if (swap(published.group(), stored.map(KeyValue::getModRevision).orElse(0L), encoded)) {
          return WriteOutcome.applied();
        }
      }
      return new WriteOutcome.NotWritten(
          new SnapshotStoreException(
              "others wrote group " + published.group() + " all the time", null));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return sent && !wasRefused(cause)
          ? new WriteOutcome.Uncertain(cause)
          : new WriteOutcome.NotWritten(cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return sent ? new WriteOutcome.Uncertain(e) : new WriteOutcome.NotWritten(e);
    }
  }

  private Optional<KeyValue> find(String group) throws ExecutionException, InterruptedException {
    KV store = client.getKVClient();
    return await(store.get(keys.key(group))).getKvs().stream().findFirst();
  }

  /**
   * Writes if the key is still as it was.
   *
   * @param revision when the key was last changed; 0 if it was not there
   */
  private boolean swap(String group, long revision, String encoded)
      throws ExecutionException, InterruptedException {
    ByteSequence key = keys.key(group);
    return await(
            client
                .getKVClient()
                .txn()
                .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision)))
                .Then(Op.put(key, EtcdKeys.bytes(encoded), PutOption.DEFAULT))
                .commit())
        .isSucceeded();
  }

  private static boolean wasRefused(Throwable cause) {
    return cause instanceof EtcdException refusal && REFUSALS.contains(refusal.getErrorCode());
  }

  private static <T> T await(CompletableFuture<T> answer)
      throws ExecutionException, InterruptedException {
    return EtcdKeys.bounded(answer).get();
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
    ByteSequence from = keys.all();
    GetOption page =
        GetOption.builder()
            .withRange(OptionsUtil.prefixEndOf(from))
            .withSortField(SortTarget.KEY)
            .withSortOrder(SortOrder.ASCEND)
            .withLimit(PAGE)
            .build();
    try {
      List<KeyValue> found;
      do {
        if (closed) {
          throw EtcdKeys.closed();
        }
        found = await(client.getKVClient().get(from, page)).getKvs();
        for (KeyValue kv : found) {
          String group = keys.group(kv.getKey());
          WriteRule.stampOf(group, kv.getValue().toString(UTF_8))
              .ifPresent(stamp -> each.accept(group, stamp));
          from = kv.getKey().concat(ByteSequence.from(new byte[] {0}));
        }
      } while (found.size() == PAGE);
    } catch (ExecutionException e) {
      throw new SnapshotStoreException("what etcd holds cannot be read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SnapshotStoreException("the sweep was interrupted", e);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
