package io.waymark.durable;

import io.waymark.durable.Settlement.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Values that are staged with a change and delivered after it, until they arrive.
 *
 * <pre>{@code
 * Channel<Limits> limits = Channel.of("limits", Limits.class);
 * Outbox outbox = Outbox.builder(store)
 *     .deliver(limits, delivery -> {
 *       shards.get(delivery.key()).apply(delivery.value(), delivery.version());
 *       return Receipt.delivered();
 *     })
 *     .build();
 *
 * // in a transaction of the caller's, with whatever else it changes
 * Staged staged = outbox.stage(connection, limits.item("acme-3", new Limits(100)));
 * connection.commit();
 * staged.wake();
 * }</pre>
 *
 * <ul>
 *   <li>A channel has at most one pending value per key: the newest one replaces it, also while an
 *       older one is being delivered.
 *   <li>Every value has a version. The versions of a key only rise, whatever happens in between.
 *   <li>Attempts do not end before the value arrived, was replaced, or was cancelled. Between them
 *       waits grow. No key waits for another: not for one that fails, hangs, or cannot be decoded.
 *   <li>A value may be delivered more than once, and an attempt that was given up may take effect
 *       late. Receivers that keep the highest version bear both.
 *   <li>Several processes may deliver the same channels of a store on PostgreSQL. A claim gives a
 *       row to one of them for the time of an attempt and ten seconds more.
 * </ul>
 *
 * <p>Thread safe.
 */
public final class Outbox implements AutoCloseable {
  private static final Duration FIRST_LOOK = Duration.ofMillis(25);
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);

  private final DurableStore store;
  private final Staging staging;
  private final OutboxTable table;
  private final Settlements settlements = new Settlements();
  private final DeliveryHost host;

  Outbox(OutboxBuilder builder, LongSupplier tokens) {
    this.store = builder.store;
    OutboxSql sql = new OutboxSql(store);
    this.staging = new Staging(store, sql);
    this.table = new OutboxTable(store, sql, UUID.randomUUID().toString());
    this.host = new DeliveryHost(store, "outbox", tokens, builder.threads, builder.grace);
    OutboxObserver observer = new OutboxObserver(builder.listener, builder.meters);
    builder.channels.forEach(
        (name, channel) ->
            host.add(
                "channel " + name,
                name,
                channel.delivery(host, table, settlements, observer).engine()));
    host.attach(builder.paused);
  }

  /** Options for an outbox on a store. */
  public static OutboxBuilder builder(DurableStore store) {
    return new OutboxBuilder(store);
  }

  // ---- staging ---------------------------------------------------------------------------------

  /**
   * Stages items in the transaction of a connection: they exist if it commits. All that a
   * transaction stages should be staged by one call: rows are locked in the order of channels and
   * keys, so that transactions that share keys wait for each other and never in a circle.
   *
   * @param connection in a transaction, on the database of the store; nothing else about it is
   *     changed
   * @param items no key twice
   * @return what to call after the commit
   * @throws SQLException what the database said; the transaction should be rolled back
   * @throws IllegalArgumentException if a key occurs twice
   * @throws IllegalStateException if the connection is in autocommit: then nothing would belong
   *     together
   */
  public Staged stage(Connection connection, Collection<Item> items) throws SQLException {
    List<Item> sorted = checked(connection, items);
    staging.write(connection, sorted);
    Set<String> channels = new HashSet<>();
    sorted.forEach(item -> channels.add(item.channel()));
    return new Staged(channels, host::wakeAll);
  }

  /** As {@link #stage(Connection, Collection)}. */
  public Staged stage(Connection connection, Item... items) throws SQLException {
    return stage(connection, List.of(items));
  }

  /**
   * As {@link #stage(Connection, Collection)}, in a transaction of this outbox's store, which wakes
   * by itself after the commit.
   *
   * @throws DurableStoreException if the database refused it; the transaction is rolled back
   */
  public Staged stage(StoreTransaction tx, Collection<Item> items) {
    return in(tx, connection -> stage(connection, items));
  }

  /** As {@link #stage(StoreTransaction, Collection)}. */
  public Staged stage(StoreTransaction tx, Item... items) {
    return stage(tx, List.of(items));
  }

  /**
   * As {@link #stage(Connection, Collection)}, and learns the versions, which {@link #awaitSettled}
   * asks for. That the server answers with them makes staging a little dearer.
   *
   * @return the versions, and what to call after the commit
   */
  public StagedVersions stageTracked(Connection connection, Collection<Item> items)
      throws SQLException {
    List<Item> sorted = checked(connection, items);
    List<Long> versions = staging.writeTracked(connection, sorted);
    List<StagedVersions.Entry> entries = new ArrayList<>(sorted.size());
    for (int i = 0; i < sorted.size(); i++) {
      Item item = sorted.get(i);
      entries.add(new StagedVersions.Entry(item.channel(), item.key(), versions.get(i)));
    }
    return new StagedVersions(entries, host::wakeAll);
  }

  /** As {@link #stageTracked(Connection, Collection)}. */
  public StagedVersions stageTracked(Connection connection, Item... items) throws SQLException {
    return stageTracked(connection, List.of(items));
  }

  /** As {@link #stage(StoreTransaction, Collection)}, and learns the versions. */
  public StagedVersions stageTracked(StoreTransaction tx, Collection<Item> items) {
    return in(tx, connection -> stageTracked(connection, items));
  }

  /** As {@link #stageTracked(StoreTransaction, Collection)}. */
  public StagedVersions stageTracked(StoreTransaction tx, Item... items) {
    return stageTracked(tx, List.of(items));
  }

  private interface Body<T> {
    T run(Connection connection) throws SQLException;
  }

  private <T extends Staged> T in(StoreTransaction tx, Body<T> body) {
    if (tx.store() != store) {
      throw new IllegalArgumentException("the transaction is one of another store");
    }
    try {
      T staged = body.run(tx.connection());
      tx.afterCommit(staged::wake);
      return staged;
    } catch (SQLException e) {
      throw new DurableStoreException(StoreError.FAILED, "staging failed: " + Failures.said(e), e);
    }
  }

  private List<Item> checked(Connection connection, Collection<Item> items) throws SQLException {
    host.requireOpen();
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the connection is in autocommit: call setAutoCommit(false) first, and stage in the"
              + " transaction of the change");
    }
    return sorted(items);
  }

  private static List<Item> sorted(Collection<Item> items) {
    List<Item> sorted = new ArrayList<>(items);
    sorted.sort(Item.ORDER);
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).sameKey(sorted.get(i - 1))) {
        throw new IllegalArgumentException(
            sorted.get(i) + " is staged twice at once; only one value can be the newest");
      }
    }
    return sorted;
  }

  // ---- what became of it -----------------------------------------------------------------------

  /**
   * Waits until a staged value is settled, or an attempt at it ended otherwise. The attempt may be
   * another process's, on PostgreSQL.
   *
   * @param version of the value; a newer one of the key settles it too
   * @param timeout how long to wait; zero to only look
   * @throws DurableStoreException if the store cannot be asked
   * @throws InterruptedException if the thread is interrupted
   */
  public Settlement awaitSettled(Channel<?> channel, String key, long version, Duration timeout)
      throws InterruptedException {
    host.requireOpen();
    LongSupplier ticker = store.ticker();
    long deadline = ticker.getAsLong() + timeout.toNanos();
    boolean here = host.has(channel.name());
    Duration look = here ? LONGEST_LOOK : FIRST_LOOK;
    Settlements.Waiter waiter = settlements.register(channel.name(), key, version);
    try {
      while (true) {
        Settlement seen = look(channel, key, version);
        long left = deadline - ticker.getAsLong();
        if (seen.state() != State.PENDING || left <= 0) {
          return seen;
        }
        try {
          return waiter.future().get(Math.min(left, look.toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          look =
              look.multipliedBy(2).compareTo(LONGEST_LOOK) < 0
                  ? look.multipliedBy(2)
                  : LONGEST_LOOK;
        } catch (ExecutionException e) {
          throw new IllegalStateException("a settlement never fails", e);
        }
      }
    } finally {
      settlements.remove(channel.name(), key, waiter);
    }
  }

  private Settlement look(Channel<?> channel, String key, long version) {
    ItemStatus row = table.find(channel.name(), key).orElse(null);
    if (row == null || row.version() < version) {
      return Settlement.of(State.UNKNOWN);
    }
    if (row.deliveredVersion() >= version) {
      return Settlement.of(State.DELIVERED);
    }
    if (!row.pending()) {
      return Settlement.of(State.CANCELLED);
    }
    return row.lastError().isPresent()
        ? new Settlement(State.NOT_YET, row.lastError())
        : Settlement.of(State.PENDING);
  }

  // ---- for operators ---------------------------------------------------------------------------

  /** How a key stands; empty if the store does not remember it. */
  public Optional<ItemStatus> find(Channel<?> channel, String key) {
    host.requireOpen();
    return table.find(channel.name(), key);
  }

  /**
   * What is pending in a channel, in the order of the keys.
   *
   * @param after where to go on: the last key of the page before, or the empty text
   * @param most how many at most, 1 to 10,000
   */
  public List<ItemStatus> pending(Channel<?> channel, String after, int most) {
    host.requireOpen();
    if (most < 1 || most > 10_000) {
      throw new IllegalArgumentException("most must be 1 to 10,000, was " + most);
    }
    return table.pending(channel.name(), after, most);
  }

  /**
   * How much is pending, for each channel with something pending; reads all rows, also settled
   * ones.
   */
  public List<ChannelBacklog> backlog() {
    host.requireOpen();
    return table.backlog();
  }

  /** Begins no more attempts in this process; those under way end. Staging goes on. */
  public void pause() {
    host.pause();
  }

  /** Delivers again. */
  public void resume() {
    host.resume();
  }

  /** For tests that move the ticker. */
  void look() {
    host.look();
  }

  /**
   * Begins no more attempts, waits for those under way as long as the grace time, then interrupts
   * them. What did not arrive stays pending. May be called again.
   */
  @Override
  public void close() {
    host.close();
  }
}
