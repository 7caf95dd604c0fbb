package io.waymark.durable;

import io.waymark.core.Backoff;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Handles;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.TemplateEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A place for what must survive a crash: a SQLite file that belongs to this process, or a
 * PostgreSQL database that several processes share.
 *
 * <pre>{@code
 * DurableStore store = DurableStore.sqlite(Path.of("topology.db")).open();
 * DurableStore store = DurableStore.postgres(dataSource).listen(url, properties).open();
 * }</pre>
 *
 * <p>On SQLite a commit has returned when the write is on disk, and all transactions of the store
 * run one after the other. On PostgreSQL a commit is as durable as the server's {@code
 * synchronous_commit} makes it, and the data source should be a pool with a time limit on its
 * sockets ({@code socketTimeout}), so that a server that falls silent holds nothing up for long.
 *
 * <p>Thread safe. Its threads are daemons called {@code waymark-store-…}.
 */
public final class DurableStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DurableStore.class);

  private final DurableStoreConfig config;
  private final String incarnation = UUID.randomUUID().toString();
  private final Dialect dialect;
  private final String name;
  private final StoreClock clock;
  private final Jdbi jdbi;
  private final @Nullable StoreFile file;
  private final @Nullable SqliteConnections sqlite;
  private final ReentrantLock drawing = new ReentrantLock();
  private final Scheduler scheduler;
  private final Signals signals;
  private @Nullable PostgresListener listener;
  private volatile boolean closed;

  private DurableStore(DurableStoreConfig config, @Nullable StoreFile file) {
    this.config = config;
    this.file = file;
    if (file != null) {
      this.dialect = Dialect.SQLITE;
      this.name = file.database().toString();
      this.sqlite = new SqliteConnections(file.database(), config.watched());
      this.jdbi = Jdbi.create(sqlite);
    } else {
      this.dialect = Dialect.POSTGRES;
      this.name = "the PostgreSQL store";
      this.sqlite = null;
      this.jdbi = Jdbi.create(new PostgresConnections(Objects.requireNonNull(config.source())));
    }
    StoreClock given = config.clock();
    this.clock =
        given != null
            ? given
            : dialect == Dialect.SQLITE
                ? StoreClock.ofProcess(Instant.now(), config.ticker())
                : StoreClock.ofPostgres();
    // Ending a transaction is our own business: Jdbi would switch back to autocommit even where the
    // rollback failed.
    jdbi.getConfig(Handles.class).setForceEndTransactions(false);
    jdbi.getConfig(SqlStatements.class)
        .setTemplateEngine(TemplateEngine.NOP)
        .setUnusedBindingAllowed(true);
    this.scheduler = new Scheduler(config.ticker(), config.poll());
    this.signals = new Signals(this);
  }

  /**
   * A store in a SQLite file, which is created if it is missing; its folder must exist. The driver,
   * {@code org.xerial:sqlite-jdbc}, must be on the class path.
   */
  public static DurableStoreBuilder sqlite(Path file) {
    return new DurableStoreBuilder(Objects.requireNonNull(file, "file"), null);
  }

  /**
   * A store in a PostgreSQL database.
   *
   * @param source connections that may write; stays the caller's to close
   */
  public static DurableStoreBuilder postgres(DataSource source) {
    return new DurableStoreBuilder(null, Objects.requireNonNull(source, "source"));
  }

  static DurableStore open(DurableStoreConfig config) {
    Path path = config.file();
    if (path != null) {
      SqliteConnections.requireDriver();
    }
    DurableStore store = new DurableStore(config, path == null ? null : StoreFile.open(path));
    try {
      store.migrate(OutboxSql.MIGRATIONS);
      store.begin();
      return store;
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  private void begin() {
    OutboxTable table = new OutboxTable(this, new OutboxSql(this), "");
    if (isExclusive()) {
      table.releaseAll(); // whoever claimed something is gone, or the file would be locked
      table.repair(OutboxSweep.SLACK);
    }
    scheduler.attach("signals", signals);
    scheduler.attach("sweep", new OutboxSweep(this, table, config.keepSettled()));
    scheduler.start();
    DurableStoreConfig.Listen listen = config.listen();
    if (listen != null) {
      listener = new PostgresListener(this, listen);
    }
  }

  /**
   * Sees to the tables of something that is built on the store, as {@link
   * DurableStoreBuilder#schema} says.
   *
   * @throws DurableStoreException if they are not as they must be
   */
  public void migrate(Migrations migrations) {
    new Migrator(this, migrations).run(config.schema());
  }

  /**
   * Runs the body in a transaction, once, and commits. Keep it short: on SQLite everything else
   * waits for it.
   *
   * @return what the body returned
   * @throws X what the body threw; the transaction is rolled back
   * @throws DurableStoreException if a statement failed or the store is somebody else's now
   *     (nothing is in the store), or if nobody knows whether the commit took effect ({@link
   *     StoreError#OUTCOME_UNKNOWN})
   */
  public <R, X extends Exception> R inTransaction(TransactionBody<R, X> body) throws X {
    Handle handle = open();
    StoreTransaction tx = new StoreTransaction(this, handle);
    R result;
    try {
      begin(handle);
      boolean done = false;
      try {
        admit(handle);
        result = body.run(tx);
        done = true;
      } catch (JdbiException e) {
        throw failed(e);
      } finally {
        tx.end();
        if (!done) {
          rollback(handle);
        }
      }
      commit(handle);
    } finally {
      close(handle);
    }
    tx.end().forEach(DurableStore::runQuietly);
    return result;
  }

  private static void begin(Handle handle) {
    try {
      handle.getConnection().setAutoCommit(false);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private void admit(Handle handle) {
    TransactionGuard guard = config.guard();
    try {
      if (guard != null && !guard.admits(handle.getConnection())) {
        throw new DurableStoreException(
            StoreError.FENCED, name + " belongs to another process now; nothing was done");
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static void commit(Handle handle) {
    Connection connection = handle.getConnection();
    try {
      connection.commit();
    } catch (SQLException e) {
      rollback(handle);
      if (Failures.refused(e)) {
        throw failed(e);
      }
      throw new DurableStoreException(
          StoreError.OUTCOME_UNKNOWN,
          "the commit was not answered; read the store to learn whether it took effect",
          e);
    }
    leave(connection);
  }

  private static void rollback(Handle handle) {
    Connection connection = handle.getConnection();
    try {
      connection.rollback();
    } catch (SQLException e) {
      LOG.debug("a rollback failed; the connection ends with it", e);
      abort(connection); // switching back to autocommit would commit what is left of it
      return;
    }
    leave(connection);
  }

  private static void leave(Connection connection) {
    try {
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      LOG.debug("a connection failed after its transaction had ended", e);
      abort(connection);
    }
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.debug("a connection failed to end", e);
    }
  }

  private static void close(Handle handle) {
    try {
      handle.close();
    } catch (JdbiException e) {
      LOG.debug("a connection failed to close", e);
    }
  }

  private static void runQuietly(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      LOG.warn("what was to run after a commit threw; it is ignored", e);
    }
  }

  /** Runs single statements that commit themselves, or are a transaction that is guarded. */
  <R> R withHandle(HandleCallback<R, RuntimeException> callback) {
    if (config.guard() != null) {
      return inTransaction(tx -> callback.withHandle(tx.handle()));
    }
    Handle handle = open();
    try {
      return callback.withHandle(handle);
    } catch (JdbiException e) {
      throw failed(e);
    } finally {
      close(handle);
    }
  }

  private Handle open() {
    if (closed) {
      throw new DurableStoreException(StoreError.CLOSED, name + " is closed");
    }
    try {
      return jdbi.open();
    } catch (JdbiException e) {
      throw failed(e);
    }
  }

  private static DurableStoreException failed(Exception e) {
    Throwable cause = e.getCause() instanceof SQLException sql ? sql : e;
    return new DurableStoreException(
        StoreError.FAILED, "the store failed: " + Failures.said(cause), e);
  }

  /** Whether nobody else uses it while it is open, so that claims from before are nobody's. */
  boolean isExclusive() {
    return file != null || config.guard() != null;
  }

  Dialect dialect() {
    return dialect;
  }

  /** What it is called in messages. */
  String name() {
    return name;
  }

  /** The schema with a dot, or nothing; stands before names of tables. */
  String tablePrefix() {
    return config.tablePrefix();
  }

  StoreClock clock() {
    return clock;
  }

  /** The monotonic clock that the store was given, in nanoseconds, for all that is built on it. */
  public LongSupplier ticker() {
    return config.ticker();
  }

  /** The SQLite file; empty for a store in PostgreSQL. */
  public Optional<Path> file() {
    return Optional.ofNullable(file).map(StoreFile::database);
  }

  /**
   * A table's name as statements must have it: with the schema, where one was chosen. For what is
   * built on the store, together with {@link #migrate}.
   */
  public String table(String table) {
    return config.tablePrefix() + table;
  }

  /** Unlike that of any other opening of a store; begins the names of owners of claims. */
  String incarnation() {
    return incarnation;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Signals signals() {
    return signals;
  }

  /** The wait after so many failures, its random part drawn by one thread at a time. */
  Duration delay(Backoff backoff, int failures) {
    drawing.lock();
    try {
      return backoff.delay(failures, config.random());
    } finally {
      drawing.unlock();
    }
  }

  /**
   * Ends deliveries, threads and connections of its own. What is pending stays in the store. May be
   * called again.
   */
  @Override
  public void close() {
    if (!closed) {
      if (listener != null) {
        listener.close();
      }
      scheduler.close();
      closed = true;
      if (sqlite != null) {
        sqlite.close();
      }
      if (file != null) {
        file.close();
      }
    }
  }

  @Override
  public String toString() {
    return "DurableStore[" + name + "]";
  }
}
