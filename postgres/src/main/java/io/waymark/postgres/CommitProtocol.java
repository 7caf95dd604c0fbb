package io.waymark.postgres;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Field;
import org.postgresql.core.Query;
import org.postgresql.core.QueryExecutor;
import org.postgresql.core.ResultCursor;
import org.postgresql.core.ResultHandlerBase;
import org.postgresql.core.TransactionState;
import org.postgresql.core.Tuple;

/**
 * Commits a transaction and learns in the same round trip where it stands.
 *
 * <p>Three statements go out together: the transaction's id if it has one, with the setting of
 * {@code synchronous_commit}; the commit; the flush and insert positions. The order matters. A
 * position read before the commit lies before the commit record. The flush position is at or behind
 * the record once a synchronous commit has returned; with {@code synchronous_commit = off} it is
 * not, and the insert position, normalised, takes its place. A transaction without an id has
 * written nothing.
 *
 * <p>The texts go through the driver's query executor with a handler of our own: after an error the
 * JDBC statement forgets what it had seen, and whether the server's {@code COMMIT} had arrived is
 * the one thing that must be known then. The server prepares them once per connection, as the
 * driver has it do with a plain commit, because parsing and planning them takes it longer than
 * committing.
 */
final class CommitProtocol {
  /** For PostgreSQL 13 and newer. */
  private static final String COMMIT =
      "SELECT pg_catalog.pg_current_xact_id_if_assigned()::pg_catalog.text,"
          + " pg_catalog.current_setting('synchronous_commit');"
          + " COMMIT;"
          + " SELECT pg_catalog.pg_current_wal_flush_lsn()::pg_catalog.text,"
          + " pg_catalog.pg_current_wal_insert_lsn()::pg_catalog.text";

  private static final int FLAGS =
      QueryExecutor.QUERY_SUPPRESS_BEGIN | QueryExecutor.QUERY_NO_BINARY_TRANSFER;

  /** What is known after a commit was sent. */
  sealed interface Committed {
    /** Nothing was written. */
    record Nothing() implements Committed {}

    /**
     * Something was written, and ends here.
     *
     * @param lsn at or behind the end of the commit record
     * @param xid the transaction
     */
    record At(long lsn, long xid) implements Committed {}

    /** Something may have been written, and where it ends is not known. */
    record Somewhere() implements Committed {}

    /**
     * The connection was lost before the answer: it may or may not have happened.
     *
     * @param xid the transaction, if its id had arrived; else {@link Token#NO_XID}
     * @param cause how the connection was lost
     */
    record Lost(long xid, SQLException cause) implements Committed {}
  }

  private CommitProtocol() {}

  /**
   * Commits the open transaction of this connection.
   *
   * @throws SQLException if the transaction is not committed
   */
  static Committed commit(PhysicalConnection connection) throws SQLException {
    QueryExecutor executor = connection.driver().getQueryExecutor();
    Answer answer = new Answer();
    try {
      executor.execute(connection.prepared(COMMIT), null, answer, 0, 0, flags(connection));
    } catch (SQLException e) {
      return afterError(connection, answer, e);
    }
    if (!answer.committed()) {
      throw new SQLException("the server rolled the transaction back at commit", "40000");
    }
    return answer.read(connection.introduction());
  }

  /** A threshold of 0 says that the server shall prepare nothing. */
  private static int flags(PhysicalConnection connection) throws SQLException {
    return connection.driver().getPrepareThreshold() == 0
        ? FLAGS | QueryExecutor.QUERY_ONESHOT
        : FLAGS;
  }

  private static Committed afterError(
      PhysicalConnection connection, Answer answer, SQLException error) throws SQLException {
    if (answer.committed()) {
      return new Committed.Somewhere();
    }
    if (connection.isClosed() || Failures.isConnection(error)) {
      return new Committed.Lost(answer.xid(), error);
    }
    if (connection.transactionState() != TransactionState.IDLE) {
      connection.rollback();
    }
    throw error;
  }

  /** Nobody can say whether the commit happened. */
  static SQLException unknown(SQLException cause) {
    return PostgresError.COMMIT_UNKNOWN.exception(
        "the connection broke during the commit; the transaction may be committed", cause);
  }

  /** Collects what arrives, also what arrives before an error. */
  private static final class Answer extends ResultHandlerBase {
    private final List<List<@Nullable String>> rows = new ArrayList<>(2);
    private @Nullable String tag;

    @Override
    public void handleResultRows(
        Query fromQuery, Field[] fields, List<Tuple> tuples, @Nullable ResultCursor cursor) {
      for (Tuple tuple : tuples) {
        List<@Nullable String> row = new ArrayList<>(fields.length);
        for (int i = 0; i < tuple.fieldCount(); i++) {
          byte[] value = tuple.get(i);
          row.add(value == null ? null : new String(value, StandardCharsets.US_ASCII));
        }
        rows.add(row);
      }
    }

    @Override
    public void handleCommandStatus(String status, long updateCount, long insertOid) {
      if (tag == null && !status.startsWith("SELECT")) {
        tag = status;
      }
    }

    @Override
    public void handleWarning(SQLWarning warning) {
      // A warning at commit, such as a cancelled wait for a standby, does not undo it.
    }

    boolean committed() {
      return "COMMIT".equals(tag);
    }

    long xid() {
      String xid = rows.isEmpty() ? null : rows.get(0).get(0);
      return xid == null ? Token.NO_XID : Long.parseUnsignedLong(xid);
    }

    Committed read(ServerQueries.Introduction introduction) {
      String xid = rows.get(0).get(0);
      if (xid == null) {
        return new Committed.Nothing();
      }
      String synchronousCommit = rows.get(0).get(1);
      String flush = rows.get(1).get(0);
      String insert = rows.get(1).get(1);
      if (flush == null || insert == null) {
        return new Committed.Somewhere();
      }
      long lsn =
          "off".equals(synchronousCommit)
              ? Lsn.normalised(
                  Lsn.parse(insert), introduction.blockSize(), introduction.segmentSize())
              : Lsn.parse(flush);
      return new Committed.At(lsn, Long.parseUnsignedLong(xid));
    }
  }
}
