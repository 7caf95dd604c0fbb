package io.waymark.coordinator;

import io.waymark.coordinator.GroupTables.Head;
import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreException;
import io.waymark.durable.Item;
import io.waymark.durable.Outbox;
import io.waymark.durable.StagedVersions;
import io.waymark.durable.StoreError;
import io.waymark.durable.StoreTransaction;
import io.waymark.topology.Stamp;
import io.waymark.topology.Tombstone;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The one way in which groups change: read, let somebody decide without any lock, and commit if the
 * group's row is still the one that was read. Thread safe.
 */
final class Ledger {
  private static final int MOST_CONFLICTS = 30;
  private static final int MOST_LOOKS = 5;
  private static final long FIRST_WAIT_MICROS = 500;
  private static final long LONGEST_WAIT_MICROS = 100_000;

  /** The class of a deadlock, and of a conflict where the pool asks for a stricter isolation. */
  private static final String ROLLED_BACK = "40";

  /** Rolls a transaction back; without a trace, since it is part of the normal course. */
  private static final class Conflict extends Exception {
    @Serial private static final long serialVersionUID = 1;

    Conflict() {
      super("the group was changed meanwhile", null, false, false);
    }
  }

  /**
   * A change that is committed, or was none.
   *
   * @param publication the version of what was staged for the store; empty if nothing was
   */
  record Committed(Stamp stamp, boolean changed, Optional<Long> publication) {}

  private final DurableStore store;
  private final GroupTables tables;
  private final Epochs epochs;
  private final States states;
  private final boolean confirmJoining;
  private final @Nullable Mark mark;
  private final String authority;
  private volatile @Nullable Outbox outbox;

  Ledger(
      DurableStore store,
      GroupTables tables,
      Epochs epochs,
      States states,
      boolean confirmJoining,
      @Nullable Mark mark) {
    this.store = store;
    this.tables = tables;
    this.epochs = epochs;
    this.states = states;
    this.confirmJoining = confirmJoining;
    this.mark = mark;
    this.authority = epochs.authority();
  }

  /** Once, before anything else is called. */
  void stagesIn(Outbox outbox) {
    this.outbox = outbox;
  }

  Outbox outbox() {
    return Objects.requireNonNull(outbox, "outbox");
  }

  String authority() {
    return authority;
  }

  States states() {
    return states;
  }

  GroupTables tables() {
    return tables;
  }

  /** The newest stamp of a group. */
  Stamp stamp(String group) {
    return tables.head(group).stamp(authority);
  }

  /** A change that callers describe by what to make of a draft. */
  Committed update(String group, Function<GroupDraft, GroupDraft> next) {
    return change(
        group,
        base ->
            Change.update(
                base,
                Objects.requireNonNull(
                    next.apply(GroupDraft.of(base, states)), "the function returned null"),
                authority));
  }

  /**
   * Commits a change.
   *
   * @param decide called with no lock and no transaction, and again if the group changed meanwhile
   * @throws CoordinatorException if that went on for too long
   * @throws DurableStoreException if the database refused it, or if nobody knows what became of it
   */
  Committed change(String group, Function<StoredGroup, Change> decide) {
    new Tombstone(group, Stamp.LOCAL); // refuses what is no name
    String update = UUID.randomUUID().toString();
    AtomicReference<@Nullable StagedVersions> staged = new AtomicReference<>();
    for (int conflicts = 0; conflicts <= MOST_CONFLICTS; conflicts++) {
      Change change = decide.apply(tables.read(group));
      try {
        return store.inTransaction(tx -> commit(tx, change, update, staged));
      } catch (Conflict e) {
        pause(conflicts);
      } catch (DurableStoreException e) {
        if (e.error() == StoreError.OUTCOME_UNKNOWN) {
          return settle(e, change, update, staged);
        }
        if (!SqlState.of(e).startsWith(ROLLED_BACK)) {
          throw e;
        }
        pause(conflicts);
      }
    }
    throw new CoordinatorException(
        CoordinatorError.CONFLICT,
        "group "
            + group
            + " was changed by others each of the "
            + (MOST_CONFLICTS + 1)
            + " times that this change was about to be committed; nothing was changed by it");
  }

  /**
   * Nobody answered whether a change was committed: it is looked for by its id, and committed if
   * the group is still as it was. Two commits of it would conflict, so it cannot be done twice.
   *
   * @throws DurableStoreException the same, if that does not tell either
   */
  private Committed settle(
      DurableStoreException unknown,
      Change change,
      String update,
      AtomicReference<@Nullable StagedVersions> staged) {
    try {
      for (int looks = 0; looks < MOST_LOOKS; looks++) {
        StoredGroup now = tables.read(change.base().name());
        if (now.lastUpdate().equals(update)) {
          return committed(now, Objects.requireNonNull(staged.get(), "staged"));
        }
        if (now.changes() != change.base().changes()) {
          break; // others came after it, or instead of it
        }
        try {
          return store.inTransaction(tx -> commit(tx, change, update, staged));
        } catch (Conflict e) {
          pause(looks);
        }
      }
    } catch (DurableStoreException | CoordinatorException e) {
      unknown.addSuppressed(e);
    }
    throw unknown;
  }

  /** It was committed, though the answer got lost, and with it what was to be done after it. */
  private Committed committed(StoredGroup base, StagedVersions staged) {
    staged.wake();
    return new Committed(base.stamp(authority), true, publication(staged));
  }

  private Committed commit(
      StoreTransaction tx,
      Change change,
      String update,
      AtomicReference<@Nullable StagedVersions> last)
      throws Conflict {
    Handle handle = GroupTables.handle(tx);
    Epochs.Current current = epochs.current(tx);
    if (current.raised()) {
      stage(tx, List.of(lifting(current)));
    }
    if (change.isNothing(current.epoch())) {
      return new Committed(change.base().stamp(authority), false, Optional.empty());
    }
    Head head = change.head(current.epoch(), update);
    if (!tables.compareAndSet(handle, head)) {
      throw new Conflict();
    }
    Map<String, StoredGroup.State> next = change.states(states, head.changes());
    if (head.deleted()) {
      tables.removeAll(handle, head.base().name());
    } else {
      tables.writeMembers(handle, change.base(), change.members());
      tables.writeStates(handle, change.base(), next);
    }
    List<Item> items = change.items(head, next, states, confirmJoining);
    StagedVersions staged = stage(tx, items);
    last.set(staged);
    return new Committed(
        new Stamp(authority, head.epoch(), head.version()), true, publication(staged));
  }

  private static Optional<Long> publication(StagedVersions staged) {
    return staged.entries().stream()
        .filter(entry -> entry.channel().equals(Channels.PUBLICATION.name()))
        .map(StagedVersions.Entry::version)
        .findFirst();
  }

  private static void pause(int conflicts) {
    long most = Math.min(LONGEST_WAIT_MICROS, FIRST_WAIT_MICROS << Math.min(conflicts, 20));
    try {
      TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextLong(most));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinatorException(
          CoordinatorError.CONFLICT, "interrupted before the change was committed", e);
    }
  }

  // ---- the epoch -------------------------------------------------------------------------------

  /**
   * Brings a group to the epoch that holds now: everything of it is published and delivered anew.
   */
  void lift(String group) {
    change(group, base -> Change.same(base, Change.Kind.LIFT));
  }

  /**
   * Once, before anything is published: raises the epoch if the database is not what it was, and
   * has the store swept. One transaction, since what it stages moves the database beyond the mark.
   */
  void begin() {
    raise(
        tx -> {
          Epochs.Current current = epochs.current(tx);
          long version = stage(tx, List.of(sweep())).version(Channels.UPKEEP, Channels.SWEEP);
          boolean older = mark != null && version <= mark.found();
          return older && !current.raised()
              ? epochs.raise(tx, 0, "an older copy of the database was put back")
              : current;
        });
  }

  /** Raises the epoch beyond what was found and never issued; returns the one that holds. */
  long raiseBeyond(Stamp found) {
    return raise(tx -> epochs.beyond(tx, found));
  }

  /** Raises the epoch; returns the new one. */
  long raise(String why) {
    return raise(tx -> epochs.raise(tx, 0, why));
  }

  /** Raises the epoch if the history is another; returns the one that holds. */
  long check() {
    return raise(epochs::current);
  }

  private long raise(Function<StoreTransaction, Epochs.Current> raiser) {
    return store.inTransaction(
        tx -> {
          Epochs.Current current = raiser.apply(tx);
          if (current.raised()) {
            stage(tx, List.of(lifting(current)));
          }
          return current.epoch();
        });
  }

  // ---- staging again ---------------------------------------------------------------------------

  /** Publishes groups again, though nothing about them changed. */
  void publishAgain(List<String> groups) {
    if (!groups.isEmpty()) {
      store.inTransaction(tx -> publishAgain(tx, groups));
    }
  }

  /** As {@link #publishAgain(List)}, if this transaction commits. */
  StagedVersions publishAgain(StoreTransaction tx, List<String> groups) {
    List<Item> items = new ArrayList<>();
    groups.forEach(group -> items.add(Channels.PUBLICATION.item(group, "again")));
    return stage(tx, items);
  }

  /** Has something seen to. */
  void seeTo(String what) {
    store.inTransaction(tx -> stage(tx, List.of(Channels.UPKEEP.item(what, ""))));
  }

  private static Item sweep() {
    return Channels.UPKEEP.item(Channels.SWEEP, "");
  }

  private static Item lifting(Epochs.Current current) {
    return Channels.UPKEEP.item(Channels.LIFT, String.valueOf(current.epoch()));
  }

  private StagedVersions stage(StoreTransaction tx, List<Item> items) {
    StagedVersions staged = outbox().stageTracked(tx, items);
    if (mark != null) {
      long highest =
          staged.entries().stream().mapToLong(StagedVersions.Entry::version).max().orElse(0);
      tx.afterCommit(() -> mark.given(highest));
    }
    return staged;
  }
}
