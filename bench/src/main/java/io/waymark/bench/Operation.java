package io.waymark.bench;

import io.waymark.postgres.StatementPath;
import java.sql.SQLException;

/** What is compared. */
public enum Operation {
  READ("a read in autocommit") {
    @Override
    int on(StatementPath path) throws SQLException {
      return path.read();
    }
  },
  READ_TRANSACTION("a read in a transaction") {
    @Override
    int on(StatementPath path) throws SQLException {
      return path.readTransaction();
    }
  },
  WRITE("a write in a transaction") {
    @Override
    int on(StatementPath path) throws SQLException {
      return path.write();
    }
  };

  private final String text;

  Operation(String text) {
    this.text = text;
  }

  /** Does it once. */
  abstract int on(StatementPath path) throws SQLException;

  @Override
  public String toString() {
    return text;
  }
}
