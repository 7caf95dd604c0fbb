package io.waymark.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a caller has set on its logical connection, to be set on every physical connection that it
 * is bound to. The pool takes it back when the physical connection returns. Used by one thread.
 */
final class SessionSettings {
  static final int NOT_SET = -1;

  boolean autoCommit = true;
  boolean readOnly;
  int isolation = NOT_SET;
  int holdability = NOT_SET;
  int networkTimeout = NOT_SET;
  @Nullable String schema;
  @Nullable Map<String, Class<?>> typeMap;
  private Map<String, String> clientInfo = Map.of();

  /** The client info that was set, by name. */
  Map<String, String> clientInfo() {
    return clientInfo;
  }

  void clientInfo(String name, String value) {
    if (clientInfo.isEmpty()) {
      clientInfo = new HashMap<>();
    }
    clientInfo.put(name, value);
  }

  boolean serializable() {
    return isolation == Connection.TRANSACTION_SERIALIZABLE;
  }

  /** The level as SQL has it; null where none was set. */
  @Nullable String isolationName() {
    return switch (isolation) {
      case Connection.TRANSACTION_READ_UNCOMMITTED -> "READ UNCOMMITTED";
      case Connection.TRANSACTION_READ_COMMITTED -> "READ COMMITTED";
      case Connection.TRANSACTION_REPEATABLE_READ -> "REPEATABLE READ";
      case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
      default -> null;
    };
  }

  /**
   * Sets on a fresh physical connection what differs from its defaults.
   *
   * @param sharesSessions whether its session is also others', so that nothing may be set for it
   */
  void apply(Connection fresh, boolean sharesSessions) throws SQLException {
    if (networkTimeout != NOT_SET) {
      fresh.setNetworkTimeout(Runnable::run, networkTimeout);
    }
    if (isolation != NOT_SET && !sharesSessions) {
      fresh.setTransactionIsolation(isolation);
    }
    if (schema != null) {
      fresh.setSchema(schema);
    }
    if (holdability != NOT_SET) {
      fresh.setHoldability(holdability);
    }
    if (typeMap != null) {
      fresh.setTypeMap(typeMap);
    }
  }
}
