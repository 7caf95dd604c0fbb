package io.waymark.coordinator;

import io.waymark.core.OptionText;
import io.waymark.durable.DurableStore;
import io.waymark.durable.StoreTransaction;
import io.waymark.topology.Stamp;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Under which name and which epoch stamps are issued. The epoch is raised when a part of what was
 * committed may be lost, so that whatever is issued from then on is newer than all that was issued
 * before, also than what the database does not know of any more. Thread safe.
 */
final class Epochs {
  private static final Logger LOG = LoggerFactory.getLogger(Epochs.class);

  /**
   * What holds in a transaction.
   *
   * @param raised whether this transaction raised it: all groups are to be published and delivered
   *     anew
   */
  record Current(String authority, long epoch, boolean raised) {}

  private final DurableStore store;
  private final History history;
  private final String create;
  private final String read;
  private final String raise;
  private final String highest;

  private Epochs(DurableStore store, History history) {
    this.store = store;
    this.history = history;
    String table = store.table("waymark_topology_authority");
    this.create =
        "INSERT INTO "
            + table
            + " (one, authority, epoch, history) VALUES (1, :authority, 1, "
            + history.sql()
            + ") ON CONFLICT (one) DO NOTHING";
    boolean sqlite = store.file().isPresent();
    this.read =
        "SELECT authority, epoch, history, "
            + history.sql()
            + " AS present, "
            + (sqlite ? "'on'" : "current_setting('synchronous_commit')")
            + " AS durability FROM "
            + table;
    this.raise =
        "UPDATE "
            + table
            + " SET epoch = :epoch, history = "
            + history.sql()
            + " WHERE epoch = :base";
    this.highest = "SELECT coalesce(max(epoch), 0) FROM " + store.table("waymark_topology_group");
  }

  /**
   * Sees to the row.
   *
   * @param configured the authority's name; null for a random one, or the one that is stored
   * @throws CoordinatorException if the database belongs to another authority
   */
  static Epochs open(DurableStore store, History history, @Nullable String configured) {
    Epochs epochs = new Epochs(store, history);
    String name = configured == null ? UUID.randomUUID().toString() : configured;
    String stored =
        store.inTransaction(
            tx -> {
              Handle handle = GroupTables.handle(tx);
              handle
                  .createUpdate(epochs.create)
                  .bind("authority", name)
                  .bind("history", epochs.history.value())
                  .execute();
              return epochs.read(handle).authority();
            });
    if (configured != null && !stored.equals(configured)) {
      throw new CoordinatorException(
          CoordinatorError.AUTHORITY,
          "this database issues stamps as "
              + OptionText.quote(stored)
              + ", but authority is configured as "
              + OptionText.quote(configured)
              + "; leave it out, or use another database: stamps of two authorities do not"
              + " compare");
    }
    return epochs;
  }

  private record Row(
      String authority, long epoch, String history, String present, String durability) {}

  private Row read(Handle handle) {
    return handle
        .createQuery(read)
        .bind("history", history.value())
        .map(
            (row, context) ->
                new Row(
                    row.getString("authority"),
                    row.getLong("epoch"),
                    row.getString("history"),
                    row.getString("present"),
                    row.getString("durability")))
        .one();
  }

  /** Outside of a change: the authority's name, which never changes. */
  String authority() {
    return store.inTransaction(tx -> read(GroupTables.handle(tx)).authority());
  }

  /**
   * What holds; raised first where the history is not the one that it belongs to. Makes the commit
   * wait for the server's disk: what a crash of the server took back would be no other history, and
   * its numbers would be given out again.
   */
  Current current(StoreTransaction tx) {
    Handle handle = GroupTables.handle(tx);
    Row row = read(handle);
    if (row.durability().equals("off")) {
      handle.execute("SET LOCAL synchronous_commit TO local");
    }
    if (History.isSame(row.history(), row.present())) {
      return new Current(row.authority(), row.epoch(), false);
    }
    return raise(tx, 0, "the database's history is " + row.present() + ", was " + row.history());
  }

  /** Raised above a stamp that was found and that this database never issued. */
  Current beyond(StoreTransaction tx, Stamp found) {
    Current current = current(tx);
    return current.epoch() > found.epoch()
        ? current
        : raise(tx, found.epoch(), "a store holds " + found + ", which was never issued");
  }

  /** Raised in any case. */
  Current raise(StoreTransaction tx, long floor, String why) {
    Handle handle = GroupTables.handle(tx);
    Row row = read(handle);
    long most =
        Math.max(Math.max(row.epoch(), floor), handle.createQuery(highest).mapTo(Long.class).one());
    int raised =
        handle
            .createUpdate(raise)
            .bind("epoch", most + 1)
            .bind("base", row.epoch())
            .bind("history", history.value())
            .execute();
    if (raised == 0) { // another process was quicker
      Row now = read(handle);
      return new Current(now.authority(), now.epoch(), false);
    }
    LOG.warn("the epoch is raised from {} to {}: {}", row.epoch(), most + 1, why);
    return new Current(row.authority(), most + 1, true);
  }
}
