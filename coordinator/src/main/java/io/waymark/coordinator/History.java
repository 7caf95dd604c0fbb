package io.waymark.coordinator;

import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreException;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which history of which database this is, as a text that changes when a part of what was committed
 * may have been lost. Immutable.
 *
 * <ul>
 *   <li>PostgreSQL: the system identifier and the timeline, which a failover and a recovery from a
 *       backup change, and the numbers of the database and of the group's table, which restoring a
 *       dump changes. What the role may not ask is left out: processes that share a database should
 *       use roles with the same rights.
 *   <li>SQLite: what the {@link Mark} beside the database names.
 * </ul>
 *
 * @param sql an expression; may hold the parameter {@code :history}
 * @param value of the parameter
 */
record History(String sql, String value) {
  private static final Logger LOG = LoggerFactory.getLogger(History.class);

  /** The function is not there, is not for this role, or does not work on this kind of server. */
  private static final Set<String> NOT_TO_BE_ASKED = Set.of("42883", "42501", "0A000");

  /** System identifier and timeline (PostgreSQL 9.6 or newer). */
  private static final String CLUSTER =
      "(SELECT system_identifier FROM pg_catalog.pg_control_system()) || '/'"
          + " || substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 1, 8)"
          + " || '/' || ";

  static History of(DurableStore store, @Nullable Mark mark) {
    return mark == null ? postgres(store) : new History(":history", mark.history());
  }

  private static History postgres(DurableStore store) {
    String tables =
        "(SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) || '/'"
            + " || '"
            + store.table("waymark_topology_group").replace("'", "''")
            + "'::regclass::oid";
    for (String sql : List.of(CLUSTER + tables, tables)) {
      try {
        store.inTransaction(
            tx -> tx.unwrap(Handle.class).createQuery("SELECT " + sql).mapTo(String.class).one());
        return new History(sql, "");
      } catch (DurableStoreException e) {
        if (!NOT_TO_BE_ASKED.contains(SqlState.of(e))) {
          throw e;
        }
        LOG.info(
            "the role may not ask for the system identifier and the timeline; a failover that lost"
                + " something is noticed only when a store holds what this database never issued",
            e);
      }
    }
    return new History("'unknown'", "");
  }

  /**
   * Whether the present history is the stored one. A role that may ask for less sees only the end
   * of what another has stored, which says nothing against it.
   */
  static boolean isSame(String stored, String present) {
    return stored.equals(present) || stored.endsWith("/" + present);
  }
}
