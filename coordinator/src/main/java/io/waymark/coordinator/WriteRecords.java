package io.waymark.coordinator;

import io.waymark.durable.DurableStore;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;

/**
 * Which writes to a store that cannot compare stamps may still land. A write has a record before it
 * begins, until it is settled or its landing deadline has passed. Thread safe.
 */
final class WriteRecords {
  /**
   * A write that may begin.
   *
   * @param group what is to be written, read after the record was made
   */
  record Begun(String id, StoredGroup group) {}

  private final DurableStore store;
  private final GroupTables tables;
  private final long windowMicros;
  private final String lock;
  private final String forget;
  private final String add;
  private final String remove;
  private final String latest;

  /**
   * @param window from the begin of a write to when it is taken to land no more
   */
  WriteRecords(DurableStore store, GroupTables tables, Duration window) {
    this.store = store;
    this.tables = tables;
    this.windowMicros = TimeUnit.NANOSECONDS.toMicros(window.toNanos());
    String table = store.table("waymark_topology_write");
    String ofGroup = " WHERE group_name = :name";
    this.lock =
        store.file().isPresent()
            ? "" // the transaction is the only one
            : "SELECT 1 FROM "
                + store.table("waymark_topology_group")
                + " WHERE name = :name FOR UPDATE";
    this.forget = "DELETE FROM " + table + ofGroup + " AND lands_until <= :now";
    this.add =
        "INSERT INTO " + table + " (group_name, id, lands_until) VALUES (:name, :id, :until)";
    this.remove = "DELETE FROM " + table + ofGroup + " AND id = :id";
    this.latest = "SELECT max(lands_until) FROM " + table + ofGroup + " AND id <> :id";
  }

  /**
   * Makes a record, and forgets those whose deadline has passed. The group's row is locked, so that
   * whoever reads a newer group afterwards also finds this record.
   */
  Begun begin(String group) {
    String id = UUID.randomUUID().toString();
    return store.inTransaction(
        tx -> {
          Handle handle = GroupTables.handle(tx);
          if (!lock.isEmpty()) {
            handle.createQuery(lock).bind("name", group).mapTo(Integer.class).findOne();
          }
          long now = tx.now();
          handle.createUpdate(forget).bind("name", group).bind("now", now).execute();
          handle
              .createUpdate(add)
              .bind("name", group)
              .bind("id", id)
              .bind("until", now + windowMicros)
              .execute();
          return new Begun(id, tables.read(handle, group));
        });
  }

  /** The write has ended, and nothing of it is under way. */
  void settled(String group, String id) {
    store.inTransaction(
        tx ->
            GroupTables.handle(tx)
                .createUpdate(remove)
                .bind("name", group)
                .bind("id", id)
                .execute());
  }

  /** How long from now another write may still land; empty if there is none. */
  Optional<Duration> othersLandFor(String group, String id) {
    return store.inTransaction(
        tx ->
            GroupTables.handle(tx)
                .createQuery(latest)
                .bind("name", group)
                .bind("id", id)
                .mapTo(Long.class)
                .findOne()
                .map(until -> Duration.of(Math.max(0, until - tx.now()), ChronoUnit.MICROS)));
  }
}
