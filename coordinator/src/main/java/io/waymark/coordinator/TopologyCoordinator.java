package io.waymark.coordinator;

import io.waymark.coordinator.Channels.Target;
import io.waymark.coordinator.Ledger.Committed;
import io.waymark.durable.ChannelBacklog;
import io.waymark.durable.DeliveryHandler;
import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreException;
import io.waymark.durable.ItemStatus;
import io.waymark.durable.Outbox;
import io.waymark.durable.OutboxBuilder;
import io.waymark.durable.OutboxEvent;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.MemberRole;
import io.waymark.topology.SnapshotPublisher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the members of groups and the values that every member must hold: the only one that changes
 * and publishes them. Readers use a {@code TopologyClient} and never speak to it.
 *
 * <pre>{@code
 * TopologyCoordinator topology = TopologyCoordinator.builder(store)
 *     .publisher(DirectorySnapshots.in(folder).publisher())
 *     .state(limits)
 *     .build();
 * UpdateResult result = topology.update("acme", now -> now
 *     .drain("acme-1")
 *     .add(Member.active("acme-3").with("endpoint", "https://10.0.0.7"))
 *     .set(limits, new Limits(100)));
 * }</pre>
 *
 * <ul>
 *   <li>One short transaction commits the members, the values, and what must be published and
 *       delivered. The caller's function runs before it, outside of any lock; if the group was
 *       changed meanwhile, it runs again.
 *   <li>A change of members raises the group's version; a draft that changes nothing changes
 *       nothing. Versions count on when a group is deleted and created again.
 *   <li>Publishing and delivering follow the commit and are tried until they succeed, each group
 *       and each member by itself. Only the newest is sent.
 *   <li>A member that comes to play a channel's role gets the value that is set; one that ceases to
 *       play it is sent nothing more.
 *   <li>On PostgreSQL any number of processes may run a coordinator over one database. One that was
 *       paused for however long does no harm when it goes on, where the store compares stamps.
 * </ul>
 *
 * <p>Thread safe. Nothing is kept in memory for a group.
 */
public final class TopologyCoordinator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopologyCoordinator.class);
  private static final Duration LONGEST_UPKEEP = Duration.ofMinutes(10);

  private final DurableStore store;
  private final @Nullable SnapshotPublisher publisher;
  private final Ledger ledger;
  private final GroupTables tables;
  private final Outbox outbox;
  private final @Nullable Mark mark;
  private final Joining joining;
  private final Emptying emptying;
  private final EventListener events;
  private final Duration publishWait;
  private final AtomicBoolean doubting = new AtomicBoolean();
  private volatile boolean closed;

  private TopologyCoordinator(
      TopologyCoordinatorBuilder builder,
      @Nullable SnapshotPublisher publisher,
      States states,
      @Nullable Mark mark) {
    this.store = builder.store;
    this.publisher = publisher;
    this.mark = mark;
    this.events = new EventListener(builder.listener);
    this.publishWait = builder.publishWait();
    store.migrate(GroupTables.MIGRATIONS);
    this.tables = new GroupTables(store);
    Epochs epochs = Epochs.open(store, History.of(store, mark), builder.authority);
    this.ledger = new Ledger(store, tables, epochs, states, builder.confirmJoining, mark);
    this.emptying = new Emptying(store, ledger, builder.emptyApart);
    this.joining = new Joining(ledger, builder.confirmJoining);
    this.outbox = publisher == null ? staging() : outbox(builder, states, publisher);
    ledger.stagesIn(outbox);
  }

  static TopologyCoordinator open(
      TopologyCoordinatorBuilder builder, @Nullable SnapshotPublisher publisher) {
    States states = new States(builder.states, builder.confirmJoining);
    Mark mark = mark(builder.store);
    TopologyCoordinator coordinator = null;
    try {
      coordinator = new TopologyCoordinator(builder, publisher, states, mark);
      coordinator.begin();
      return coordinator;
    } catch (RuntimeException | Error e) {
      if (coordinator != null) {
        coordinator.stop();
      } else if (mark != null) {
        mark.close();
      }
      throw e;
    }
  }

  /** Configures a coordinator over a store, which stays the caller's to close, after it. */
  public static TopologyCoordinatorBuilder builder(DurableStore store) {
    return new TopologyCoordinatorBuilder(store);
  }

  /** Stages, and delivers nothing. */
  private Outbox staging() {
    return Outbox.builder(store).build();
  }

  private Outbox outbox(
      TopologyCoordinatorBuilder builder, States states, SnapshotPublisher publisher) {
    StoreSweep sweep = new StoreSweep(ledger, publisher, events, store.ticker());
    OutboxBuilder building =
        Outbox.builder(store)
            .paused()
            .onEvent(this::attempted)
            .meters(builder.meters)
            .deliver(
                Channels.PUBLICATION,
                publications(publisher, builder.attemptTimeout),
                options ->
                    options
                        .concurrency(builder.publishConcurrency)
                        .attemptTimeout(builder.attemptTimeout)
                        .backoff(builder.backoff))
            .deliver(
                Channels.UPKEEP,
                new Upkeep(ledger, sweep, joining, events, builder.sweepInterval),
                options -> options.attemptTimeout(LONGEST_UPKEEP));
    states.all().forEach(channel -> deliver(building, channel));
    return building.build();
  }

  private DeliveryHandler<String> publications(
      SnapshotPublisher publisher, Duration attemptTimeout) {
    if (publisher.comparesStamps()) {
      return new Publications(ledger, publisher, events);
    }
    LOG.info(
        "the store of snapshots does not compare stamps: an older snapshot that lands later than {}"
            + " after its write ran out of time can stay there until the group's next change",
        OverwritingPublications.LATEST_LANDING);
    Duration window = attemptTimeout.plus(OverwritingPublications.LATEST_LANDING);
    return new OverwritingPublications(ledger, publisher, new WriteRecords(store, ledger, window));
  }

  private static @Nullable Mark mark(DurableStore store) {
    Path file = store.file().orElse(null);
    if (file == null) {
      return null;
    }
    try {
      return Mark.of(file);
    } catch (IOException e) {
      throw new UncheckedIOException("there can be no mark beside " + file, e);
    }
  }

  private <T> void deliver(OutboxBuilder building, StateChannel<T> channel) {
    building.deliver(
        Channels.state(channel.name()), new StateDeliveries<>(ledger, channel), channel::configure);
  }

  private void begin() {
    if (publisher != null || mark != null) { // beside others, they have looked
      ledger.begin();
    }
    if (publisher != null) {
      publisher.onDoubt(this::doubt);
      outbox.resume();
    }
  }

  // ---- changing --------------------------------------------------------------------------------

  /**
   * Changes a group, or creates it.
   *
   * <p>After the commit this waits for the end of one attempt to publish, as long as {@link
   * TopologyCoordinatorBuilder#publishWait} says; whatever comes of it, the change is committed.
   *
   * @param next makes of the group as it is the group as it shall be; runs outside of any lock and
   *     transaction, and again if the group was changed meanwhile, so it should have no effects of
   *     its own. What it throws reaches the caller, and nothing is changed
   * @throws IllegalArgumentException if the group could not be published, as one without members:
   *     {@linkplain #delete delete} it instead
   * @throws CoordinatorException if the group was changed by others all the time
   * @throws DurableStoreException if the database refused it, or if nobody knows whether it is
   *     committed: {@code OUTCOME_UNKNOWN}
   */
  public UpdateResult update(String group, UnaryOperator<GroupDraft> next) {
    requireOpen();
    return result(group, ledger.update(group, next));
  }

  /**
   * Deletes a group with its values. What was to be delivered to its members is taken back, and
   * readers find that it was deleted. A group that never was is left alone.
   *
   * @throws CoordinatorException as {@link #update}
   * @throws DurableStoreException as {@link #update}
   */
  public UpdateResult delete(String group) {
    requireOpen();
    return result(group, ledger.change(group, Change::delete));
  }

  /**
   * Takes the group's place in the store from another authority, whatever that has published. Call
   * it where a group has moved here, and its former coordinator does not publish it any more. A
   * group that is not here is left alone.
   *
   * @throws CoordinatorException as {@link #update}
   * @throws DurableStoreException as {@link #update}
   */
  public UpdateResult takeOver(String group) {
    requireOpen();
    return result(group, ledger.change(group, base -> Change.same(base, Change.Kind.TAKE_OVER)));
  }

  /**
   * Raises the epoch by hand, as after a part of what was committed was lost in a way that the
   * coordinator cannot notice. All groups are published, and all values delivered, anew.
   *
   * @return the new epoch
   * @throws DurableStoreException if the database refused it
   */
  public long raiseEpoch() {
    requireOpen();
    return ledger.raise("it was asked for");
  }

  /**
   * A draining member tells that it holds nothing any more. It is removed by the second report that
   * comes late enough after the first, if it told of nothing else in between.
   *
   * @throws IllegalStateException unless {@link TopologyCoordinatorBuilder#removeWhenEmpty} is on
   * @throws CoordinatorException as {@link #update}
   * @throws DurableStoreException as {@link #update}
   */
  public EmptyReport reportEmpty(String group, String member) {
    requireOpen();
    return emptying.empty(group, member);
  }

  /**
   * A draining member tells that it holds something after all: its reports begin anew.
   *
   * @throws IllegalStateException as {@link #reportEmpty}
   * @throws DurableStoreException if the database refused it
   */
  public void reportHolding(String group, String member) {
    requireOpen();
    emptying.holding(group, member);
  }

  private UpdateResult result(String group, Committed committed) {
    return new UpdateResult(
        committed.stamp(), committed.changed(), isPublished(group, committed.publication()));
  }

  private boolean isPublished(String group, Optional<Long> version) {
    try {
      if (version.isPresent()) {
        return outbox
            .awaitSettled(Channels.PUBLICATION, group, version.get(), publishWait)
            .isDelivered();
      }
      return publication(group).map(status -> !status.pending()).orElse(true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (DurableStoreException e) { // committed all the same
      LOG.debug("whether group {} is published cannot be told", group, e);
      return false;
    }
  }

  // ---- looking ---------------------------------------------------------------------------------

  /** As whom stamps are issued. */
  public String authority() {
    return ledger.authority();
  }

  /** A group as it is in the database; empty if it is not there. Reads nothing else. */
  public Optional<GroupSnapshot> snapshot(String group) {
    requireOpen();
    StoredGroup stored = tables.read(group);
    return stored.exists()
        ? Optional.of((GroupSnapshot) stored.published(ledger.authority()))
        : Optional.empty();
  }

  /** The value of a state of a group; empty if the group is not there or has none. */
  public <T> Optional<T> state(String group, StateChannel<T> channel) {
    requireOpen();
    return GroupDraft.of(tables.read(group), ledger.states()).state(channel);
  }

  /**
   * The states that a group has values of, by the names of their channels, with who gets them; also
   * those whose channels this coordinator was not given. Empty if the group is not there.
   */
  public Map<String, MemberRole> states(String group) {
    requireOpen();
    Map<String, MemberRole> roles = new TreeMap<>();
    tables.read(group).states().forEach((channel, state) -> roles.put(channel, state.role()));
    return roles;
  }

  /**
   * Groups in the order of their names, deleted ones included.
   *
   * @param after where to go on: the last name of the page before, or the empty text
   * @param most how many at most, 1 to 10,000
   */
  public List<GroupSummary> groups(String after, int most) {
    requireOpen();
    if (most < 1 || most > 10_000) {
      throw new IllegalArgumentException("most must be 1 to 10,000, was " + most);
    }
    return tables.page(ledger.authority(), after, most);
  }

  // ---- for operators ---------------------------------------------------------------------------

  /** How the publication of a group stands; empty if nothing was to be published lately. */
  public Optional<ItemStatus> publication(String group) {
    requireOpen();
    return outbox.find(Channels.PUBLICATION, group);
  }

  /** Publications that are pending, by group; pages as {@link Outbox#pending}. */
  public List<ItemStatus> pendingPublications(String after, int most) {
    requireOpen();
    return outbox.pending(Channels.PUBLICATION, after, most);
  }

  /** How the delivery of a state to a member stands; empty if nothing was to be sent lately. */
  public Optional<ItemStatus> delivery(StateChannel<?> channel, String group, String member) {
    requireOpen();
    return outbox.find(Channels.state(channel.name()), new Target(group, member).key());
  }

  /** Deliveries that are pending, by group and member; pages as {@link Outbox#pending}. */
  public List<ItemStatus> pendingDeliveries(StateChannel<?> channel, String after, int most) {
    requireOpen();
    return outbox.pending(Channels.state(channel.name()), after, most);
  }

  /** How much is pending, by channel; reads all rows, also settled ones. */
  public List<ChannelBacklog> backlog() {
    requireOpen();
    return outbox.backlog().stream()
        .filter(each -> !each.channel().equals(Channels.UPKEEP.name()))
        .toList();
  }

  // ---- events ----------------------------------------------------------------------------------

  private void attempted(OutboxEvent attempt) {
    if (attempt.channel().equals(Channels.UPKEEP.name())) {
      attempt
          .error()
          .ifPresent(
              error ->
                  LOG.warn(
                      "seeing to {} failed; it is tried again: {}",
                      attempt.key(),
                      error.toString()));
      return;
    }
    events.tell(new CoordinatorEvent.Attempted(attempt));
    if (attempt.kind() == OutboxEvent.Kind.DELIVERED && Channels.isState(attempt.channel())) {
      joining.arrived(attempt.key());
    }
  }

  /** The store may have forgotten something. Quick: the sweep is staged on a thread of its own. */
  private void doubt() {
    if (!closed && doubting.compareAndSet(false, true)) {
      Thread thread = new Thread(this::stageSweep, "waymark-coordinator-doubt");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void stageSweep() {
    doubting.set(false);
    try {
      ledger.seeTo(Channels.SWEEP);
    } catch (RuntimeException e) { // the next sweep comes anyway
      LOG.debug("a sweep could not be staged", e);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new CoordinatorException(CoordinatorError.CLOSED, "the coordinator is closed");
    }
  }

  /**
   * Ends publishing and delivering, and closes the publisher. What is pending stays in the store
   * and goes on with the next coordinator. May be called again.
   */
  @Override
  public void close() {
    if (!closed) {
      stop();
      if (publisher != null) {
        publisher.close();
      }
    }
  }

  /** The publisher stays open: until it was built, a coordinator does not own it. */
  private void stop() {
    closed = true;
    outbox.close();
    if (mark != null) {
      mark.close();
    }
  }

  @Override
  public String toString() {
    return "TopologyCoordinator[" + store + "]";
  }
}
