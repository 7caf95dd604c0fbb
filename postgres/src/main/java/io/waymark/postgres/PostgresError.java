package io.waymark.postgres;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * The errors of the data source, with their stable codes. Errors of the server and of the driver
 * pass through as they are.
 *
 * <p>The number is the exception's vendor code; the code stands at the start of its message.
 */
public enum PostgresError {
  /** The operation needs the primary and may not go there, or there is none. */
  NEEDS_PRIMARY(
      1840,
      "25006",
      false,
      "Nothing was sent, or the server refused it; nothing was changed.",
      "Run it on a connection that is not read-only and not forced to a replica."),
  /** A replica must serve and none may: it was forced, or the connection is tied to one. */
  NO_REPLICA(
      1843,
      "WM843",
      true,
      "A replica must serve, because it was forced or the connection is tied to it, and none may"
          + " now. Nothing was sent.",
      "Try again later, or do not force a replica."),
  /** No replica may serve and the fallback is error. */
  NO_REPLICA_NO_FALLBACK(
      1844,
      "WM844",
      true,
      "No replica may serve now and routing.fallback is error. Nothing was sent.",
      "Try again later, or set routing.fallback to primary."),
  /** No connection of the chosen endpoint became free in time. */
  ACQUIRE_TIMEOUT(
      1846,
      "WM846",
      true,
      "The pool of the chosen endpoint had no free connection for acquireTimeout. Nothing was sent.",
      "Find what holds the connections, or raise max."),
  /** The commit may or may not have happened. */
  COMMIT_UNKNOWN(
      1847,
      "08007",
      false,
      "The connection broke during the commit: the transaction may or may not be committed.",
      "Read back what the transaction wrote before doing it again."),
  /** The data source or connection was closed. */
  CLOSED(1848, "08003", false, "The data source or the connection is closed.", "Open a new one."),
  /** There is no primary: the configured one is a standby, or another server claims to be it. */
  NO_PRIMARY(
      1849,
      "WM849",
      true,
      "The endpoint that is configured as the primary is a standby, or another server of the cluster"
          + " writes the same timeline or a newer one. Nothing was sent.",
      "Look at the endpoints with `waymark probe`; configure the server that is the primary now.");

  private final int number;
  private final String sqlState;
  private final boolean safeToRetry;
  private final String meaning;
  private final String remedy;

  PostgresError(int number, String sqlState, boolean safeToRetry, String meaning, String remedy) {
    this.number = number;
    this.sqlState = sqlState;
    this.safeToRetry = safeToRetry;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** The stable code, such as {@code WM1840}. */
  public String code() {
    return "WM" + number;
  }

  /** The vendor code of the exception, such as 1840. */
  public int number() {
    return number;
  }

  /** The SQLSTATE of the exception. */
  public String sqlState() {
    return sqlState;
  }

  /** Whether the same call may be sent again without doing anything twice. */
  public boolean safeToRetry() {
    return safeToRetry;
  }

  /** What it means, in one or two sentences. */
  public String meaning() {
    return meaning;
  }

  /** What to do. */
  public String remedy() {
    return remedy;
  }

  /** The exception, with this sentence after the code. */
  SQLException exception(String sentence, @Nullable Throwable cause) {
    String message = code() + ": " + sentence;
    SQLException exception =
        switch (this) {
          case NEEDS_PRIMARY -> new SQLNonTransientException(message, sqlState, number);
          case NO_PRIMARY, NO_REPLICA, NO_REPLICA_NO_FALLBACK, ACQUIRE_TIMEOUT ->
              new SQLTransientConnectionException(message, sqlState, number);
          case COMMIT_UNKNOWN, CLOSED ->
              new SQLNonTransientConnectionException(message, sqlState, number);
        };
    if (cause != null) {
      exception.initCause(cause);
    }
    return exception;
  }
}
