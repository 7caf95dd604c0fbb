package io.waymark.coordinator;

import io.waymark.durable.DurableStoreBuilder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.UnaryOperator;

/** One empty database for one test, that stores can be opened on again and again. */
interface TestDatabase extends AutoCloseable {
  /** Options for a store on it. */
  default DurableStoreBuilder store() {
    return store(UnaryOperator.identity());
  }

  /** Options for a store on it whose connections go through this. */
  DurableStoreBuilder store(UnaryOperator<Connection> watched);

  /** A connection past the store. */
  Connection connect() throws SQLException;

  /** A number from a query. */
  default long number(String sql) {
    try (Connection connection = connect();
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Does something past the store. */
  default void execute(String sql) {
    try (Connection connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  void close();
}
