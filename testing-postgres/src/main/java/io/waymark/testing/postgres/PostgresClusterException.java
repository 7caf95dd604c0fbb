package io.waymark.testing.postgres;

import org.jspecify.annotations.Nullable;

/**
 * A cluster could not be started, or a lever could not be pulled. The message names the node, says
 * what was expected, shows the end of the server's log where that helps, and names the remedy where
 * there is one.
 */
public final class PostgresClusterException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  PostgresClusterException(String message) {
    super(message);
  }

  PostgresClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
