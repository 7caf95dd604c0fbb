package io.waymark.objects;

import io.waymark.durable.DurableStore;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * All SQL of the leases. Needs PostgreSQL 15 or newer.
 *
 * <p>A transaction of the owner locks its row with {@code FOR KEY SHARE}, and a takeover with
 * {@code FOR UPDATE}, which waits for it: so whatever the owner commits, it commits before the
 * fence rises. Renewing changes no key column and waits for neither ({@code FOR NO KEY UPDATE}, see
 * <a href="https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-ROWS">row
 * locks</a>).
 */
final class LeaseTable {
  /** The server's clock at this moment; that of the transaction would be from before a wait. */
  static final String SERVER_CLOCK = "(date_part('epoch', clock_timestamp()) * 1000000)::bigint";

  /** One row, and what time it is. */
  record Row(
      Optional<String> placement,
      String schema,
      @Nullable String owner,
      long fence,
      long leasedUntil,
      long now) {

    /** Whether somebody else has it. */
    boolean isHeldByOtherThan(String me) {
      return owner != null && !owner.equals(me) && leasedUntil > now;
    }
  }

  private final String collection;
  private final String owner;
  private final Duration lease;
  private final String read;
  private final String insert;
  private final String take;
  private final String giveBack;
  private final String renew;
  private final String names;
  private final String fence;

  LeaseTable(DurableStore store, String collection, String owner, Duration lease, String clock) {
    this.collection = collection;
    this.owner = owner;
    this.lease = lease;
    String table = store.table("waymark_object");
    String one = " WHERE collection = :collection AND name = :name";
    this.read =
        "SELECT placement, own_schema, owner, fence, leased_until, "
            + clock
            + " AS now FROM "
            + table
            + one;
    this.insert =
        "INSERT INTO "
            + table
            + " (collection, name, placement, own_schema) VALUES (:collection, :name, :hint,"
            + " 'waymark_object_' || replace(gen_random_uuid()::text, '-', ''))"
            + " ON CONFLICT (collection, name) DO NOTHING";
    this.take =
        "UPDATE "
            + table
            + " SET owner = :owner, fence = fence + 1, leased_until = :until"
            + one
            + " RETURNING fence";
    this.giveBack =
        "UPDATE "
            + table
            + " SET owner = NULL, leased_until = 0"
            + one
            + " AND owner = :owner AND fence = :fence";
    this.renew =
        "UPDATE "
            + table
            + " SET leased_until = "
            + clock
            + " + ? WHERE collection = ? AND owner = ? AND name = ANY (?) RETURNING name";
    this.names = "SELECT name FROM " + table + " WHERE collection = :collection ORDER BY name";
    // A session that stands still in a transaction is ended by the server, so that its locks are no
    // obstacle to the next owner.
    this.fence =
        "SELECT set_config('idle_in_transaction_session_timeout', ?, true) FROM "
            + table
            + " WHERE collection = ? AND name = ? AND owner = ? AND fence = ? FOR KEY SHARE";
  }

  String owner() {
    return owner;
  }

  /** The row of a name, made if it is not there. Waits for nobody. */
  Row look(Handle handle, String name, @Nullable String hint) {
    Optional<Row> found = read(handle, name, read);
    if (found.isPresent()) {
      return found.get();
    }
    handle
        .createUpdate(insert)
        .bind("collection", collection)
        .bind("name", name)
        .bind("hint", hint)
        .execute();
    return read(handle, name, read).orElseThrow();
  }

  /** The row once no transaction of an owner is open any more; none begins until this one ends. */
  Row lock(Handle handle, String name) {
    handle.execute("SET LOCAL lock_timeout = " + 2 * lease.toMillis());
    return read(handle, name, read + " FOR UPDATE").orElseThrow();
  }

  private Optional<Row> read(Handle handle, String name, String sql) {
    return handle
        .createQuery(sql)
        .bind("collection", collection)
        .bind("name", name)
        .map(
            (row, context) ->
                new Row(
                    Optional.ofNullable(row.getString("placement")),
                    row.getString("own_schema"),
                    row.getString("owner"),
                    row.getLong("fence"),
                    row.getLong("leased_until"),
                    row.getLong("now")))
        .findOne();
  }

  /** Becomes the owner; returns the new fence. */
  long take(Handle handle, String name, long now) {
    return handle
        .createQuery(take)
        .bind("collection", collection)
        .bind("name", name)
        .bind("owner", owner)
        .bind("until", now + micros())
        .mapTo(Long.class)
        .one();
  }

  void giveBack(Handle handle, String name, long fence) {
    handle
        .createUpdate(giveBack)
        .bind("collection", collection)
        .bind("name", name)
        .bind("owner", owner)
        .bind("fence", fence)
        .execute();
  }

  /** Carries on the leases of these names; returns those that are still this owner's. */
  Set<String> renew(Connection connection, Set<String> held) throws SQLException {
    Set<String> renewed = new HashSet<>();
    Array array = connection.createArrayOf("text", held.toArray());
    try (PreparedStatement statement = connection.prepareStatement(renew)) {
      statement.setLong(1, micros());
      statement.setString(2, collection);
      statement.setString(3, owner);
      statement.setArray(4, array);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          renewed.add(rows.getString(1));
        }
      }
    } finally {
      array.free();
    }
    return renewed;
  }

  List<String> names(Handle handle) {
    return new ArrayList<>(
        handle.createQuery(names).bind("collection", collection).mapTo(String.class).list());
  }

  /** Whether this owner has the name under this fence, until the transaction ends. */
  boolean isHeld(Connection connection, String name, long held) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(fence)) {
      statement.setString(1, String.valueOf(lease.toMillis()));
      statement.setString(2, collection);
      statement.setString(3, name);
      statement.setString(4, owner);
      statement.setLong(5, held);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  private long micros() {
    return TimeUnit.NANOSECONDS.toMicros(lease.toNanos());
  }
}
