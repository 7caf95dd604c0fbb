package io.waymark.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Query;
import org.postgresql.core.TransactionState;

/**
 * A connection to one server as the pool keeps it, with what is known of it: which instance it
 * reached, since when, and whether the role was proven to be able to read positions.
 *
 * <p>Used by one thread at a time, as a connection is.
 */
final class PhysicalConnection extends ForwardingConnection {
  private final BaseConnection driver;
  private final ServerQueries.Introduction introduction;
  private final long openedReading;
  private final boolean sharesSessions;
  private boolean roleChanged;
  private @Nullable Query prepared;

  /**
   * @param driver the driver's connection
   * @param introduction what the server said of itself
   * @param openedReading the last reading that had started when the connection was open
   * @param sharesSessions whether a pooler may run each transaction in another session
   */
  PhysicalConnection(
      BaseConnection driver,
      ServerQueries.Introduction introduction,
      long openedReading,
      boolean sharesSessions) {
    super(driver);
    this.driver = driver;
    this.introduction = introduction;
    this.openedReading = openedReading;
    this.sharesSessions = sharesSessions;
  }

  /** The one behind a pool's proxy. */
  static PhysicalConnection of(Connection pooled) throws SQLException {
    return pooled.unwrap(PhysicalConnection.class);
  }

  BaseConnection driver() {
    return driver;
  }

  ServerQueries.Introduction introduction() {
    return introduction;
  }

  /**
   * The only text that is prepared here. The driver notices when the session forgets it, by {@code
   * DISCARD} or {@code DEALLOCATE}, and has it prepared again.
   */
  Query prepared(String text) throws SQLException {
    if (prepared == null) {
      prepared = driver.getQueryExecutor().createSimpleQuery(text);
    }
    return prepared;
  }

  /** The driver's own word on the transaction. */
  TransactionState transactionState() {
    return driver.getTransactionState();
  }

  /**
   * Whether what this sighting saw holds for this connection: it is of the very instance that the
   * connection reached, and was read while the connection was open already. A standby that recovers
   * from a crash keeps its start time and may lose what it had replayed; only the death of its open
   * connections tells. Behind a pooler that shares sessions nothing tells, and all that can be
   * asked for is the same server.
   */
  boolean vouchedFor(Sighting seen) {
    ServerInstance reached = introduction.server();
    ServerInstance there = seen.server();
    if (reached == null || there == null || seen.reading() <= openedReading) {
      return false;
    }
    return sharesSessions ? reached.sameServer(there) : reached.equals(there);
  }

  /**
   * Whether this sighting is of a server that was started later at the same address: then the one
   * that this connection reached is gone, and nothing will ever vouch for it again.
   */
  boolean isOutlivedBy(Sighting seen) {
    ServerInstance reached = introduction.server();
    ServerInstance there = seen.server();
    return reached != null
        && there != null
        && reached.address() != null
        && reached.address().equals(there.address())
        && reached.port() == there.port()
        && reached.startedMicros() < there.startedMicros();
  }

  /** A statement may have changed the session's role: the proven rights are not proven any more. */
  void roleMayHaveChanged() {
    roleChanged = true;
  }

  /**
   * Whether this session may read positions for sure, and they are of the server that was
   * introduced.
   */
  boolean mayReadPositions() {
    return introduction.rights().positions() && !roleChanged && !sharesSessions;
  }
}
