package io.waymark.postgres;

import java.sql.SQLException;
import java.sql.Statement;

/**
 * Something that a caller set on its statement, to be set on the driver's.
 *
 * @param <S> the driver's statement
 */
@FunctionalInterface
interface Setting<S extends Statement> {
  /** Sets it. */
  void on(S statement) throws SQLException;
}
