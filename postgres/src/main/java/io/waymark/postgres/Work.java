package io.waymark.postgres;

import java.sql.SQLException;

/**
 * Something to do with a physical connection or statement.
 *
 * @param <S> with what
 * @param <R> what comes of it
 */
@FunctionalInterface
interface Work<S, R> {
  /** Does it. */
  R on(S target) throws SQLException;
}
