package io.waymark.postgres;

import io.waymark.core.Operation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A logical connection bound to a physical one: runs its statements there, ends its transactions,
 * and gives it back. Used by one thread.
 */
final class Binding {
  private static final Logger LOG = LoggerFactory.getLogger(Binding.class);

  /** No reading of the server is known to hold for the connection. */
  private static final long UNVOUCHED = -1;

  private final RoutedConnection owner;
  private final DataSourceRuntime runtime;
  private final EndpointPool.Lease lease;
  private final PostgresReason reason;
  private final boolean declaredReadOnly;
  private Map<String, @Nullable String> clientInfoBefore = Map.of();
  private boolean autoCommit = true;
  private boolean readOnly;
  private boolean wrapped;
  private boolean broken;

  /** The connection broke, and the transaction is known to have ended all the same. */
  private boolean ended;

  /**
   * READ WRITE was asked for, in a transaction or for the session: the declaration is overruled.
   */
  private boolean mayWrite;

  Binding(RoutedConnection owner, EndpointPool.Lease lease, PostgresReason reason)
      throws SQLException {
    this.owner = owner;
    this.runtime = owner.runtime();
    this.lease = lease;
    this.reason = reason;
    this.declaredReadOnly = owner.settings().readOnly;
    owner.settings().apply(lease.connection(), runtime.config().sharesSessions());
    for (Map.Entry<String, String> info : owner.settings().clientInfo().entrySet()) {
      clientInfo(info.getKey(), info.getValue());
    }
  }

  EndpointPool.Lease lease() {
    return lease;
  }

  Connection connection() {
    return lease.connection();
  }

  Endpoint endpoint() {
    return lease.endpoint();
  }

  PostgresReason reason() {
    return reason;
  }

  /** Whether it was bound under another declaration than the caller's present one. */
  boolean declaredOtherwise() {
    return declaredReadOnly != owner.settings().readOnly;
  }

  /** Whether the connection broke under a statement. */
  boolean isBroken() {
    return broken;
  }

  /** Whether what runs now is in a transaction of ours that ends with it. */
  boolean readsWhole() {
    return wrapped;
  }

  /** By the driver's own word, which also knows of a BEGIN that was sent as SQL. */
  boolean inTransaction() {
    return !ended && lease.physical().transactionState() != TransactionState.IDLE;
  }

  /** Undoes the open transaction, if there is one. */
  void rollback() throws SQLException {
    if (!ended) {
      connection().rollback();
    }
  }

  /** Runs a statement of the open transaction. */
  <R> R runInTransaction(Operation operation, SqlTraits traits, Work<Binding, R> work)
      throws SQLException {
    endpoint().vitals().started();
    try {
      return run(operation, traits, work);
    } finally {
      endpoint().vitals().finished();
    }
  }

  /** Runs a statement; the caller counts it as in flight. */
  <R> R run(Operation operation, SqlTraits traits, Work<Binding, R> work) throws SQLException {
    mayWrite |= traits.readWrite();
    boolean commitsByItself =
        (owner.settings().autoCommit
                && !traits.empty()
                && (operation != Operation.READ || (mayWrite && endpoint().isPrimary())))
            || traits.commits();
    if (commitsByItself) {
      runtime.dirty(owner.watermark());
    }
    long started = runtime.ticker().getAsLong();
    boolean ok = false;
    try {
      R result = mustWrap(operation) ? runWrapped(work) : runPlain(work);
      endpoint().vitals().circuit().succeeded();
      if (operation == Operation.READ) {
        endpoint().vitals().latency(runtime.ticker().getAsLong() - started);
      }
      ok = true;
      return result;
    } catch (SQLException e) {
      broken |=
          Failures.isConnection(e) || Failures.isSessionEnded(e) || lease.physical().isClosed();
      if (operation != Operation.READ
          && endpoint().isPrimary()
          && Failures.isReadOnly(e)
          && owner.tiedBy() == null) {
        endpoint().monitor().roleInDoubt(); // nobody asked for a read-only session
      }
      throw translated(e);
    } finally {
      runtime.measurements().executed(operation, endpoint().name(), started, ok);
      if (commitsByItself) {
        runtime.dirty(owner.watermark());
      }
      owner.sent(traits);
    }
  }

  private <R> R runPlain(Work<Binding, R> work) throws SQLException {
    // In this order neither costs a round trip: the driver begins READ ONLY with the next text.
    if (autoCommit != owner.settings().autoCommit && !inTransaction()) {
      autoCommit = owner.settings().autoCommit;
      connection().setAutoCommit(autoCommit);
    }
    if (readOnly != owner.settings().readOnly && !inTransaction()) {
      readOnly = owner.settings().readOnly;
      connection().setReadOnly(readOnly);
    }
    if (!autoCommit && !inTransaction() && runtime.config().sharesSessions()) {
      isolate();
    }
    return work.on(this);
  }

  /** For this transaction only: what is set for a session would be found by other clients. */
  private void isolate() throws SQLException {
    String level = owner.settings().isolationName();
    if (level != null) {
      send("SET TRANSACTION ISOLATION LEVEL " + level);
    }
  }

  /** A read in autocommit on a session that could write: the server must refuse a hidden write. */
  private boolean mustWrap(Operation operation) {
    return operation == Operation.READ
        && owner.settings().autoCommit
        && endpoint().isPrimary()
        && lease.kind() == EndpointPool.Kind.MAIN
        && !inTransaction();
  }

  private <R> R runWrapped(Work<Binding, R> work) throws SQLException {
    connection().setAutoCommit(false);
    connection().setReadOnly(true);
    wrapped = true;
    int portion = lease.physical().driver().getDefaultFetchSize();
    lease.physical().driver().setDefaultFetchSize(0); // a cursor would end with the transaction
    try {
      R result = work.on(this);
      connection().commit();
      endWrapping();
      return result;
    } catch (SQLException | RuntimeException e) {
      try {
        endWrapping();
      } catch (SQLException later) {
        broken = true;
        e.addSuppressed(later);
      }
      throw e;
    } finally {
      wrapped = false;
      lease.physical().driver().setDefaultFetchSize(portion);
    }
  }

  private void endWrapping() throws SQLException {
    readOnly = false;
    autoCommit = true;
    if (lease.physical().isClosed()) {
      return;
    }
    if (inTransaction()) {
      connection().rollback();
    }
    connection().setReadOnly(false);
    connection().setAutoCommit(true);
  }

  private SQLException translated(SQLException e) {
    return Failures.isReadOnly(e)
        ? PostgresError.NEEDS_PRIMARY.exception(
            "endpoint "
                + endpoint()
                + " ("
                + reason.text(endpoint().name())
                + ") refused a write: "
                + e.getMessage(),
            e)
        : e;
  }

  /** Ends the transaction, and lets the session know where its write stands. */
  void commit() throws SQLException {
    if (!inTransaction()) {
      return;
    }
    long started = runtime.measurements().start();
    try {
      commitOpen();
      runtime.measurements().committed(endpoint().name(), started, null);
    } catch (SQLException e) {
      runtime.measurements().committed(endpoint().name(), started, e);
      throw e;
    }
  }

  private void commitOpen() throws SQLException {
    TransactionState state = lease.physical().transactionState();
    if (state == TransactionState.FAILED) {
      connection().rollback();
      throw new SQLException("the transaction had failed and was rolled back", "25P02");
    }
    if (!endpoint().isPrimary() || (readOnly && !mayWrite)) {
      commitNothing();
      return;
    }
    if (!runtime.tracksWrites()) {
      commitPlain();
      return;
    }
    History history = history();
    if (history == null || !lease.physical().mayReadPositions()) {
      runtime.dirty(owner.watermark());
      try {
        commitPlain();
      } finally {
        runtime.dirty(owner.watermark());
      }
      return;
    }
    commitWithPosition(history);
  }

  /** Ends a transaction that could not write: there is no outcome to be in doubt about. */
  private void commitNothing() throws SQLException {
    try {
      connection().commit();
    } catch (SQLException e) {
      broken |= Failures.isConnection(e);
      throw e;
    }
  }

  private void commitPlain() throws SQLException {
    try {
      commitNothing();
    } catch (SQLException e) {
      throw Failures.isConnection(e) ? CommitProtocol.unknown(e) : e;
    }
  }

  private void commitWithPosition(History history) throws SQLException {
    Token before = owner.watermark().token();
    Object session = endpoint().monitor().session();
    long reading = vouchedReading();
    CommitProtocol.Committed committed = CommitProtocol.commit(lease.physical());
    if (committed instanceof CommitProtocol.Committed.At at) {
      long since = reading == UNVOUCHED ? runtime.readings().last() + 1 : reading;
      owner.watermark().committed(new Token(history, at.lsn(), at.xid(), since), before);
    } else if (committed instanceof CommitProtocol.Committed.Somewhere) {
      runtime.dirty(owner.watermark());
      if (lease.physical().isClosed()) {
        broken = true;
        ended = true; // the tag had arrived, and then the connection broke
      }
    } else if (committed instanceof CommitProtocol.Committed.Lost lost) {
      settle(lost, session);
    }
  }

  /** A reading of the server that this connection reached, made while it was open. */
  private long vouchedReading() {
    Sighting primary = runtime.view().primary().sighting();
    return primary != null && lease.physical().vouchedFor(primary) ? primary.reading() : UNVOUCHED;
  }

  /** The connection was lost with the answer: the server may still tell what it would have been. */
  private void settle(CommitProtocol.Committed.Lost lost, @Nullable Object session)
      throws SQLException {
    broken = true;
    runtime.dirty(owner.watermark());
    Fate fate =
        lost.xid() == Token.NO_XID || session == null
            ? Fate.UNKNOWN
            : runtime.fate(endpoint(), lost.xid(), session);
    switch (fate) {
      case COMMITTED -> {
        ended = true;
        LOG.info("endpoint {}: a connection broke during a commit, which happened", endpoint());
      }
      case ABORTED -> {
        ended = true;
        throw new SQLException(
            "the connection broke during the commit, and the server says that the transaction was"
                + " rolled back",
            "40000",
            lost.cause());
      }
      case IN_PROGRESS, UNKNOWN -> throw CommitProtocol.unknown(lost.cause());
    }
  }

  /** The history that this connection's server writes; null where that is not certain. */
  private @Nullable History history() {
    Sighting primary = runtime.view().primary().sighting();
    ServerInstance server = lease.physical().introduction().server();
    return primary == null || server == null || !server.equals(primary.server())
        ? null
        : primary.history();
  }

  /** Sets a client info property, to be set back when the connection is given back. */
  void clientInfo(String name, @Nullable String value) throws SQLException {
    if (clientInfoBefore.isEmpty()) {
      clientInfoBefore = new HashMap<>();
    }
    if (!clientInfoBefore.containsKey(name)) {
      clientInfoBefore.put(name, connection().getClientInfo(name));
    }
    connection().setClientInfo(name, value);
  }

  /** Gives the connection back as it came, or throws it away where it broke. */
  void release() throws SQLException {
    try {
      if (!isGone()) {
        takeBack();
      }
    } catch (SQLException e) {
      broken = true;
      LOG.debug("what was set could not be taken back; the connection is thrown away", e);
    } finally {
      if (isGone()
          || runtime.isDrained(endpoint())
          || (mayWrite && lease.kind() == EndpointPool.Kind.READ_ONLY)) {
        lease.discard();
      } else {
        lease.release();
      }
    }
  }

  private boolean isGone() throws SQLException {
    return broken || lease.physical().isClosed();
  }

  /** Takes back what the pool does not: it does not even know of a BEGIN that was sent as SQL. */
  private void takeBack() throws SQLException {
    if (inTransaction()) {
      send("ROLLBACK");
    }
    for (Map.Entry<String, @Nullable String> info : clientInfoBefore.entrySet()) {
      connection().setClientInfo(info.getKey(), info.getValue());
    }
    SessionSettings settings = owner.settings();
    if (settings.schema != null) {
      send("RESET search_path");
    }
    if (settings.holdability != SessionSettings.NOT_SET) {
      connection().setHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT);
    }
    if (settings.typeMap != null) {
      connection().setTypeMap(new HashMap<>());
    }
  }

  private void send(String sql) throws SQLException {
    try (Statement statement = connection().createStatement()) {
      statement.execute(sql);
    }
  }
}
