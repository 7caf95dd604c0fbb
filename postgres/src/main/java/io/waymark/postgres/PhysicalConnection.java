package io.waymark.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
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
  private boolean roleChanged;

  /**
   * @param driver the driver's connection
   * @param introduction what the server said of itself
   * @param openedReading the last reading that had started when the connection was open
   */
  PhysicalConnection(
      BaseConnection driver, ServerQueries.Introduction introduction, long openedReading) {
    super(driver);
    this.driver = driver;
    this.introduction = introduction;
    this.openedReading = openedReading;
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

  /** The driver's own word on the transaction. */
  TransactionState transactionState() {
    return driver.getTransactionState();
  }

  /**
   * Whether what this sighting saw holds for this connection: it is of the very instance that the
   * connection reached, and was read while the connection was open already. A standby that recovers
   * from a crash keeps its start time and may lose what it had replayed; only the death of its open
   * connections tells.
   */
  boolean vouchedFor(Sighting seen) {
    return introduction.server() != null
        && introduction.server().equals(seen.server())
        && seen.reading() > openedReading;
  }

  /** A statement may have changed the session's role: the proven rights are not proven any more. */
  void roleMayHaveChanged() {
    roleChanged = true;
  }

  /** Whether this session may read positions for sure. */
  boolean mayReadPositions() {
    return introduction.rights().positions() && !roleChanged;
  }
}
