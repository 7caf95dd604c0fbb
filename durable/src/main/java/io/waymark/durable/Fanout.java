package io.waymark.durable;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.Outcome;
import io.waymark.core.RoutingLoad;
import io.waymark.durable.FanoutIntake.Batch;
import io.waymark.durable.FanoutIntake.Refused;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes batches of messages, and brings each message to each of its targets.
 *
 * <pre>{@code
 * Fanout<Mail> fanout = Fanout.builder(store, "mail", Mail.class)
 *     .deliver("consumer", batch -> {
 *       for (FanoutDelivery<Mail> each : batch) {
 *         send(each.body());
 *         each.ack();
 *       }
 *     })
 *     .storage("archive", message -> archive.put(message.id(), message.text()))
 *     .deadLetters(message -> deadLetters.put(message.id(), message.text()))
 *     .build();
 *
 * Outcome<List<String>> outcome = fanout.accept(FanoutMessage.of("job-42", mail));
 * }</pre>
 *
 * <ul>
 *   <li>A batch is accepted whole or not at all. Its recipients are those of this moment: a target
 *       that is added later gets none of it, and work for one that is removed waits until it is
 *       there again.
 *   <li>{@link Outcome.Accepted} says that the batch is durable, not that anything was delivered.
 *       {@link Outcome.Rejected} says that nothing of it was written. What is neither is an
 *       exception.
 *   <li>Each target settles each message on its own: one that fails or hangs holds up no other.
 *   <li>A message may be delivered more than once; {@link StoredMessage#id} is the same each time.
 *       It is in one attempt at a time. Messages that were never attempted come before those that
 *       are tried again; beyond that there is no order.
 *   <li>After the last attempt, or when the consumer says so, a message goes to the dead letters.
 *       That is committed first and never taken back, whatever happens to the write.
 *   <li>As long as a message is not settled by all its targets, the same one is not accepted a
 *       second time: same deduplication key, id, body and targets. One that differs rejects its
 *       batch.
 *   <li>Several processes may serve a fan-out of a store on PostgreSQL. A claim gives messages to
 *       one of them for the time of an attempt and ten seconds more.
 * </ul>
 *
 * <p>Thread safe.
 *
 * @param <T> the type of the messages' bodies
 */
public final class Fanout<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Fanout.class);

  private final DurableStore store;
  private final String name;
  private final FanoutTable table;
  private final FanoutIntake<T> intake;
  private final DeliveryHost host;
  private final RoutingLoad load;
  private final long number;

  /** What is configured here, by name. */
  private final Map<String, Long> targets = new HashMap<>();

  /** The signals that wake targets, by their number. */
  private final Map<Long, String> signals = new HashMap<>();

  Fanout(FanoutBuilder<T> builder) {
    this.store = builder.store;
    this.name = builder.name;
    store.migrate(FanoutSql.MIGRATIONS);
    FanoutSql sql = new FanoutSql(store);
    this.table = new FanoutTable(store, sql, store.incarnation() + "/" + UUID.randomUUID());
    this.number = table.fanout(name);
    Map<String, Long> all = table.targets(number, builder.targets.keySet());
    RoutingLoad given = builder.load;
    this.load = given == null ? RoutingLoad.of(store.ticker(), Clock.systemUTC()) : given;
    this.host =
        new DeliveryHost(
            store, "fanout", new AtomicLong()::incrementAndGet, builder.threads, builder.grace);
    FanoutObserver observer = new FanoutObserver(name, builder.listener, builder.meters);
    Codec<T> codec = builder.codec;
    FanoutParts<T> parts =
        new FanoutParts<>(
            name, host, table, text -> decoded(codec, text), builder.deadLetters, load, observer);
    Map<Long, Long> delays = new HashMap<>();
    builder.targets.forEach(
        (target, registration) -> {
          long id = Objects.requireNonNull(all.get(target));
          targets.put(target, id);
          delays.put(id, StoreClock.micros(registration.options().batchDelay()));
          serve(parts, id, target, registration);
        });
    this.intake = new FanoutIntake<>(store, sql, number, targets, delays, codec::encode);
    host.add("fan-out " + name, new FanoutKeeper(store, table, number, targets.keySet(), observer));
    load.attach(this::pendingDeliveries);
    if (store.isExclusive()) { // whoever claimed something is gone
      all.values().forEach(id -> table.release(id, store.incarnation()));
    }
    table.repair(all.values(), OutboxSweep.SLACK);
    host.attach(builder.paused);
  }

  private static <T> T decoded(Codec<T> codec, String text) {
    return Objects.requireNonNull(codec.decode(text), "the codec returned null");
  }

  private void serve(
      FanoutParts<T> parts, long id, String target, FanoutBuilder.Registration<T> registration) {
    String place = name + "/" + target;
    String signal = "fanout:" + place;
    signals.put(id, signal);
    host.add(
        "target " + place,
        signal,
        new TargetDelivery<>(parts, id, target, registration.handler(), registration.options())
            .engine());
    MessageStorage<T> deadLetters = parts.deadLetters();
    if (deadLetters != null) {
      host.add(
          "dead letters of " + place,
          "dead letters of " + signal,
          new DeadLetterDelivery<>(parts, id, target, deadLetters).engine());
    }
  }

  /**
   * Options for a fan-out on a store, whose messages' bodies are stored as JSON.
   *
   * @param name under which the store keeps it, at most 128 bytes of UTF-8, not blank; on
   *     PostgreSQL, processes that use the same name share the work
   */
  public static <T> FanoutBuilder<T> builder(DurableStore store, String name, Class<T> type) {
    return new FanoutBuilder<>(store, name, Codec.json(type));
  }

  /**
   * Options for a fan-out on a store, whose messages' bodies are stored as the codec says.
   *
   * @param name as in {@link #builder(DurableStore, String, Class)}
   */
  public static <T> FanoutBuilder<T> builder(DurableStore store, String name, Codec<T> codec) {
    return new FanoutBuilder<>(store, name, codec);
  }

  // ---- accepting -------------------------------------------------------------------------------

  /**
   * Accepts a batch for all targets that are configured here, in a transaction of its own.
   *
   * @return the ids in the order of the messages, or why nothing was written; with the load
   * @throws DurableStoreException if the store failed; with {@link StoreError#OUTCOME_UNKNOWN}
   *     nobody knows whether the batch is there: send it again with the same ids
   */
  public Outcome<List<String>> accept(Collection<FanoutMessage<T>> messages) {
    return accept(messages, targets.keySet());
  }

  /** As {@link #accept(Collection)}, of one message. */
  public Outcome<List<String>> accept(FanoutMessage<T> message) {
    return accept(List.of(message));
  }

  /**
   * As {@link #accept(Collection)}, for some of the targets.
   *
   * @param recipients at least one, all configured here, none twice
   */
  public Outcome<List<String>> accept(
      Collection<FanoutMessage<T>> messages, Collection<String> recipients) {
    host.requireOpen();
    Outcome<List<String>> outcome;
    long started = load.beginInbound();
    try {
      outcome = acceptHere(messages, recipients);
    } finally {
      load.endInbound(started);
    }
    return withLoad(outcome);
  }

  private Outcome<List<String>> acceptHere(
      Collection<FanoutMessage<T>> messages, Collection<String> recipients) {
    try {
      Batch batch = intake.check(messages, recipients);
      if (!batch.entries().isEmpty()) {
        store.inTransaction(
            tx -> {
              written(tx.connection(), batch);
              tx.afterCommit(() -> wake(batch));
              return batch;
            });
      }
      return Outcome.accepted(batch.ids());
    } catch (Refused e) {
      return rejected(e);
    }
  }

  private void written(Connection connection, Batch batch) throws Refused {
    try {
      intake.write(connection, batch, true);
    } catch (SQLException e) {
      throw new DurableStoreException(
          StoreError.FAILED, "accepting a batch failed: " + Failures.said(e), e);
    }
  }

  private static <R> Outcome<R> rejected(Refused why) {
    return Outcome.rejected(why.error().code(), why.message());
  }

  /**
   * Accepts a batch for all targets that are configured here, in a transaction of the fan-out's
   * store: it is there if that commits, and delivery begins by itself then.
   *
   * @return the ids in the order of the messages, or why nothing was written: the transaction is
   *     still of use then
   * @throws DurableStoreException if a statement failed; the transaction is rolled back
   */
  public Outcome<AcceptedBatch> accept(StoreTransaction tx, Collection<FanoutMessage<T>> messages) {
    return accept(tx, messages, targets.keySet());
  }

  /**
   * As {@link #accept(StoreTransaction, Collection)}, for some of the targets.
   *
   * @param recipients at least one, all configured here, none twice
   */
  public Outcome<AcceptedBatch> accept(
      StoreTransaction tx, Collection<FanoutMessage<T>> messages, Collection<String> recipients) {
    if (tx.store() != store) {
      throw new IllegalArgumentException("the transaction is one of another store");
    }
    try {
      Outcome<AcceptedBatch> outcome = accept(tx.connection(), messages, recipients);
      outcome.map(
          batch -> {
            tx.afterCommit(batch::wake);
            return batch;
          });
      return outcome;
    } catch (SQLException e) {
      throw new DurableStoreException(
          StoreError.FAILED, "accepting a batch failed: " + Failures.said(e), e);
    }
  }

  /**
   * Accepts a batch for all targets that are configured here, in the transaction of a connection:
   * it is there if that commits. Keys are locked in their order within one call, so that
   * transactions that share keys wait for each other and never in a circle.
   *
   * @param connection in a transaction, on the database of the store; nothing else about it is
   *     changed
   * @return the ids in the order of the messages and what to call after the commit, or why nothing
   *     was written: the transaction is still of use then; without the load, which is not known
   *     before the commit
   * @throws SQLException what the database said; the transaction should be rolled back
   * @throws IllegalStateException if the connection is in autocommit
   */
  public Outcome<AcceptedBatch> accept(Connection connection, Collection<FanoutMessage<T>> messages)
      throws SQLException {
    return accept(connection, messages, targets.keySet());
  }

  /**
   * As {@link #accept(Connection, Collection)}, for some of the targets.
   *
   * @param recipients at least one, all configured here, none twice
   */
  public Outcome<AcceptedBatch> accept(
      Connection connection, Collection<FanoutMessage<T>> messages, Collection<String> recipients)
      throws SQLException {
    host.requireOpen();
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the connection is in autocommit: call setAutoCommit(false) first, and accept in the"
              + " transaction of the change");
    }
    long started = load.beginInbound();
    try {
      Batch batch = intake.check(messages, recipients);
      intake.write(connection, batch, false);
      return Outcome.accepted(new AcceptedBatch(batch.ids(), () -> wake(batch)));
    } catch (Refused e) {
      return rejected(e);
    } finally {
      load.endInbound(started);
    }
  }

  private void wake(Batch batch) {
    List<String> woken = new ArrayList<>();
    batch.targets().forEach(target -> woken.add(signals.get(target)));
    host.wakeAll(woken);
    if (intake.longestDelay(batch) > 0) {
      store.scheduler().within(0); // which learns when it is due
    }
  }

  /**
   * Accepts a dead letter for its target again, with attempts that count from one. Forget the dead
   * letter once this was accepted, not before.
   *
   * @return as {@link #accept(Collection)}
   * @throws RuntimeException if the body is no value of this fan-out's type
   */
  public Outcome<List<String>> redrive(StoredMessage<T> deadLetter) {
    return accept(List.of(deadLetter.again()), Set.of(deadLetter.target()));
  }

  // ---- load and backlog ------------------------------------------------------------------------

  private <R> Outcome<R> withLoad(Outcome<R> outcome) {
    LoadSnapshot snapshot;
    try {
      snapshot = load.snapshot();
    } catch (RuntimeException e) { // it says nothing about what became of the batch
      LOG.debug("the load of {} is not known", name, e);
      return outcome;
    }
    return outcome.with(snapshot);
  }

  /**
   * The load now.
   *
   * @throws DurableStoreException if the backlog cannot be read
   */
  public LoadSnapshot load() {
    host.requireOpen();
    return load.snapshot();
  }

  /**
   * How many deliveries are not settled: pairs of a message and a target, dead letters that are not
   * written included. Exact, and read in constant time.
   */
  public long pendingDeliveries() {
    return table.backlog(number).pending();
  }

  /** The same for each target that this fan-out ever had, in the order of their names. */
  public List<TargetBacklog> backlog() {
    host.requireOpen();
    List<TargetBacklog> backlog = new ArrayList<>();
    table
        .backlogByTarget(number)
        .forEach(
            (target, pending) ->
                backlog.add(new TargetBacklog(target, targets.containsKey(target), pending)));
    return backlog;
  }

  /**
   * What is not settled by a target, in the order of acceptance; also of one that is not configured
   * here. Reads all rows before the page: for people.
   *
   * @param after where to go on: the last number of the page before, or 0
   * @param most how many at most, 1 to 10,000
   * @throws IllegalArgumentException if there never was such a target
   */
  public List<DeliveryStatus> pending(String target, long after, int most) {
    host.requireOpen();
    if (most < 1 || most > 10_000) {
      throw new IllegalArgumentException("most must be 1 to 10,000, was " + most);
    }
    Long id = table.targets(number, Set.of()).get(target);
    if (id == null) {
      throw new IllegalArgumentException("there never was a target " + target + " of " + name);
    }
    return table.deliveries(id, target, after, most);
  }

  // ---- life ------------------------------------------------------------------------------------

  /** Begins no more attempts in this process; those under way end. Accepting goes on. */
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
   * them. What was not settled stays pending, and an attempt that was interrupted does not count.
   * May be called again.
   */
  @Override
  public void close() {
    host.close();
  }

  /** The name. */
  @Override
  public String toString() {
    return "Fanout[" + name + "]";
  }
}
