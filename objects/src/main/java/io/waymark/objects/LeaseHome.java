package io.waymark.objects;

import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreBuilder;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names in a PostgreSQL database that several processes share. A row for each says who owns it
 * until when, by the server's clock, and under which fence; every transaction of the owner's store
 * looks at that row first and keeps it locked. So a process that stood still while another became
 * the owner can do nothing any more when it goes on.
 */
final class LeaseHome implements Home {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseHome.class);

  /** A lease is renewed so often in its time. */
  private static final int RENEWALS = 3;

  private final Supplier<DurableStoreBuilder> stores;
  private final UnaryOperator<DurableStoreBuilder> options;
  private final DurableStore leases;
  private final LeaseTable table;
  private final Map<String, Leased> held = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor renewing;

  /**
   * Opens the table of leases.
   *
   * @param leases the store that has it; closed with this
   * @param stores begins the store of a name
   * @param options what the user wants of each
   */
  LeaseHome(
      DurableStore leases,
      Supplier<DurableStoreBuilder> stores,
      UnaryOperator<DurableStoreBuilder> options,
      String collection,
      Duration lease,
      String clock) {
    this.leases = leases;
    this.stores = stores;
    this.options = options;
    this.table = new LeaseTable(leases, collection, UUID.randomUUID().toString(), lease, clock);
    this.renewing =
        new ScheduledThreadPoolExecutor(1, task -> Slots.daemon(task, "waymark-objects-leases"));
    long every = lease.toMillis() / RENEWALS;
    var unused = renewing.scheduleWithFixedDelay(this::renew, every, every, TimeUnit.MILLISECONDS);
  }

  /** A name that this process owns. */
  private final class Leased implements Place {
    private final String name;
    private final long fence;
    private @Nullable ObjectContext context;
    private volatile boolean lost;

    Leased(String name, long fence) {
      this.name = name;
      this.fence = fence;
    }

    boolean admits(Connection connection) throws SQLException {
      boolean admitted = !lost && table.isHeld(connection, name, fence);
      if (!admitted) {
        lost = true;
      }
      return admitted;
    }

    @Override
    public ObjectContext context() {
      return Objects.requireNonNull(context);
    }

    @Override
    public boolean isLost() {
      return lost;
    }

    @Override
    public void close() {
      if (context != null) {
        context.store().close();
      }
      held.remove(name, this);
      if (lost) {
        return;
      }
      try {
        leases.inTransaction(
            tx -> {
              table.giveBack(tx.unwrap(Handle.class), name, fence);
              return true;
            });
      } catch (RuntimeException e) {
        LOG.warn("{} was not given back; others wait until its lease ends", name, e);
      }
    }
  }

  private record Taken(LeaseTable.Row row, long fence) {}

  @Override
  public Place open(String name, @Nullable String hint) {
    Taken taken = leases.inTransaction(tx -> take(tx.unwrap(Handle.class), name, hint));
    Leased leased = new Leased(name, taken.fence());
    held.put(name, leased);
    try {
      DurableStore store =
          options.apply(stores.get()).inSchema(taken.row().schema()).guard(leased::admits).open();
      leased.context = new ObjectContext(name, store, taken.row().placement());
      return leased;
    } catch (RuntimeException | Error e) {
      leased.close();
      throw e;
    }
  }

  private Taken take(Handle handle, String name, @Nullable String hint) {
    refuse(name, table.look(handle, name, hint));
    LeaseTable.Row row = table.lock(handle, name);
    refuse(name, row); // somebody else may have been quicker
    boolean there =
        handle
            .createQuery("SELECT to_regnamespace(:schema) IS NOT NULL")
            .bind("schema", row.schema())
            .mapTo(Boolean.class)
            .one();
    if (!there) {
      handle.execute("CREATE SCHEMA " + row.schema());
    }
    return new Taken(row, table.take(handle, name, row.now()));
  }

  private void refuse(String name, LeaseTable.Row row) {
    if (row.isHeldByOtherThan(table.owner())) {
      throw new ObjectException(
          ObjectError.ELSEWHERE,
          "another process has the lease of "
              + name
              + " for "
              + TimeUnit.MICROSECONDS.toMillis(row.leasedUntil() - row.now())
              + " ms and may renew it");
    }
  }

  /** Carries on all leases. Those that are gone are marked, so that their objects are closed. */
  void renew() {
    Map<String, Leased> before = Map.copyOf(held);
    if (before.isEmpty()) {
      return;
    }
    try {
      Set<String> renewed =
          leases.<Set<String>, SQLException>inTransaction(
              tx -> table.renew(tx.connection(), before.keySet()));
      before.forEach(
          (name, leased) -> {
            if (!renewed.contains(name) && held.get(name) == leased) {
              LOG.warn("{} was taken over by another process", name);
              leased.lost = true;
            }
          });
    } catch (SQLException | RuntimeException e) { // the next renewal must come
      // Nobody is harmed: without a lease the fence still tells whether the name is ours.
      LOG.warn("leases could not be renewed; others may take the names over", e);
    }
  }

  void renewNoMore() {
    renewing.shutdownNow();
  }

  @Override
  public List<String> names() {
    return leases.inTransaction(tx -> table.names(tx.unwrap(Handle.class)));
  }

  @Override
  public void close() {
    renewNoMore();
    leases.close();
  }

  @Override
  public String toString() {
    return leases.toString();
  }
}
