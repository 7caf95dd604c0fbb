package io.waymark.postgres;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a failure speaks of, by SQLSTATE along the chain of causes.
 *
 * <p>The states are those of appendix A of PostgreSQL's manual; class 08 is also what the driver
 * uses for broken sockets.
 */
final class Failures {
  private static final int DEPTH = 8;

  /** Shutdown by an administrator, crash of a backend, server starting up. */
  private static final Set<String> SHUTDOWN = Set.of("57P01", "57P02", "57P03");

  private static final String TOO_MANY_CONNECTIONS = "53300";
  private static final String DENIED = "42501";
  private static final String READ_ONLY = "25006";

  /** What a standby cancels a statement with: serialization failure, deadlock. */
  private static final Set<String> RECOVERY_CONFLICT = Set.of("40001", "40P01");

  /** Idle for too long, outside or in a transaction; its database is gone. */
  private static final Set<String> SESSION_ENDED = Set.of("57P05", "25P03", "57P04");

  private Failures() {}

  /** The server could not be reached, or the connection to it broke. */
  static boolean isConnection(Throwable failure) {
    Throwable current = failure;
    for (int depth = 0; current != null && depth < DEPTH; depth++) {
      if (current instanceof IOException) {
        return true;
      }
      String state = state(current);
      if (state != null && (state.startsWith("08") || SHUTDOWN.contains(state))) {
        return !isBusy(failure);
      }
      current = current.getCause();
    }
    return false;
  }

  /** The server did not answer in the time that the socket was given. */
  static boolean isSocketTimeout(Throwable failure) {
    Throwable current = failure;
    for (int depth = 0; current != null && depth < DEPTH; depth++) {
      if (current instanceof SocketTimeoutException) {
        return true;
      }
      current = current.getCause();
    }
    return false;
  }

  /** The server is there and has no room: it is not dead. */
  static boolean isBusy(Throwable failure) {
    return has(failure, Set.of(TOO_MANY_CONNECTIONS, PostgresError.ACQUIRE_TIMEOUT.sqlState()));
  }

  /** The role lacks a right. */
  static boolean isDenied(Throwable failure) {
    return has(failure, Set.of(DENIED));
  }

  /** The server refused a write because it, or the transaction, is read-only. */
  static boolean isReadOnly(Throwable failure) {
    return has(failure, Set.of(READ_ONLY));
  }

  /** A standby cancelled the statement, or its connection, to go on replaying. */
  static boolean isRecoveryConflict(Throwable failure) {
    return has(failure, RECOVERY_CONFLICT);
  }

  /** The server ended this session, which says nothing against the server. */
  static boolean isSessionEnded(Throwable failure) {
    return has(failure, SESSION_ENDED);
  }

  /**
   * What kind of failure it is, in words that hold nothing but a SQLSTATE and the name of a class:
   * the messages of drivers, servers and password suppliers are theirs.
   */
  static String kind(Throwable failure) {
    Throwable innermost = failure;
    String state = state(failure);
    for (int depth = 0; innermost.getCause() != null && depth < DEPTH; depth++) {
      innermost = innermost.getCause();
      state = state == null ? state(innermost) : state;
    }
    String name = innermost.getClass().getSimpleName();
    return state == null ? name : name + ", SQLSTATE " + state;
  }

  private static boolean has(Throwable failure, Set<String> states) {
    Throwable current = failure;
    for (int depth = 0; current != null && depth < DEPTH; depth++) {
      String state = state(current);
      if (state != null && states.contains(state)) {
        return true;
      }
      current = current.getCause();
    }
    return false;
  }

  private static @Nullable String state(Throwable failure) {
    return failure instanceof SQLException sql ? sql.getSQLState() : null;
  }
}
