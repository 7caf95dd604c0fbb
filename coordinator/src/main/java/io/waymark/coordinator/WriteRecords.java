package io.waymark.coordinator;

import io.waymark.durable.DurableStore;
import io.waymark.durable.Receipt;
import io.waymark.durable.StoreTransaction;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;

/**
 * Which writes to a store that cannot compare stamps may still land. A write has a record from
 * before it begins until it is settled or its landing deadline has passed. Thread safe.
 *
 * <p>Beginning and ending a write lock the group's row. So of two writes whose records overlap, the
 * one that ends later knows of the other: by its record, or by the newer group that it reads.
 */
final class WriteRecords {
  /**
   * A write that may begin.
   *
   * @param group what is to be written, read after the record was made
   */
  record Begun(String id, StoredGroup group) {
    String name() {
      return group.name();
    }
  }

  private final DurableStore store;
  private final Ledger ledger;
  private final long windowMicros;
  private final String lock;
  private final String forgetOld;
  private final String repair;
  private final String add;
  private final String remove;
  private final String latest;

  /**
   * @param window from the begin of a write to when it is taken to land no more
   */
  WriteRecords(DurableStore store, Ledger ledger, Duration window) {
    this.store = store;
    this.ledger = ledger;
    this.windowMicros = TimeUnit.NANOSECONDS.toMicros(window.toNanos());
    String table = store.table("waymark_topology_write");
    String ofGroup = " WHERE group_name = :name";
    this.lock =
        store.file().isPresent()
            ? "" // the transaction is the only one
            : "SELECT 1 FROM "
                + store.table("waymark_topology_group")
                + " WHERE name = :name FOR UPDATE";
    this.forgetOld = "DELETE FROM " + table + ofGroup + " AND lands_until <= :now";
    this.repair =
        "UPDATE " + table + " SET lands_until = :until" + ofGroup + " AND lands_until > :until";
    this.add =
        "INSERT INTO " + table + " (group_name, id, lands_until) VALUES (:name, :id, :until)";
    this.remove = "DELETE FROM " + table + ofGroup + " AND id = :id";
    this.latest = "SELECT max(lands_until) FROM " + table + ofGroup;
  }

  /**
   * Makes a record, and forgets those whose deadline has passed. A deadline that lies ahead by more
   * than any write is given comes from a clock that was set back since.
   */
  Begun begin(String group) {
    String id = UUID.randomUUID().toString();
    return store.inTransaction(
        tx -> {
          Handle handle = locked(tx, group);
          long now = tx.now();
          long until = now + windowMicros;
          handle.createUpdate(forgetOld).bind("name", group).bind("now", now).execute();
          handle.createUpdate(repair).bind("name", group).bind("until", until).execute();
          handle
              .createUpdate(add)
              .bind("name", group)
              .bind("id", id)
              .bind("until", until)
              .execute();
          return new Begun(id, ledger.tables().read(handle, group));
        });
  }

  /** Nothing was written, and nothing is under way. */
  void notWritten(Begun begun) {
    store.inTransaction(tx -> forget(GroupTables.handle(tx), begun));
  }

  /**
   * The write has landed. Where it may have landed on a newer one, the group is published again, in
   * the transaction that forgets the record: there is no moment at which nothing tells of it.
   *
   * @param late whether nobody waited for it any more
   * @return final, or when to write again
   */
  Receipt landed(Begun begun, boolean late) {
    return store.inTransaction(
        tx -> {
          Handle handle = locked(tx, begun.name());
          forget(handle, begun);
          if (late || isOvertaken(handle, begun)) {
            ledger.publishAgain(tx, List.of(begun.name()));
            return Receipt.again(Duration.ZERO);
          }
          return othersLandFor(tx, begun.name()).map(Receipt::again).orElse(Receipt.delivered());
        });
  }

  private Handle locked(StoreTransaction tx, String group) {
    Handle handle = GroupTables.handle(tx);
    if (!lock.isEmpty()) {
      handle.createQuery(lock).bind("name", group).mapTo(Integer.class).findOne();
    }
    return handle;
  }

  private int forget(Handle handle, Begun begun) {
    return handle.createUpdate(remove).bind("name", begun.name()).bind("id", begun.id()).execute();
  }

  private boolean isOvertaken(Handle handle, Begun begun) {
    String authority = ledger.authority();
    return ledger
        .tables()
        .head(handle, begun.name())
        .stamp(authority)
        .isNewerThan(begun.group().stamp(authority));
  }

  /** How long from now another write may still land; empty if there is none. */
  private Optional<Duration> othersLandFor(StoreTransaction tx, String group) {
    return GroupTables.handle(tx)
        .createQuery(latest)
        .bind("name", group)
        .mapTo(Long.class)
        .findOne()
        .map(until -> Duration.of(Math.max(0, until - tx.now()), ChronoUnit.MICROS));
  }
}
