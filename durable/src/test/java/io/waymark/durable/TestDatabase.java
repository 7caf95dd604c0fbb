package io.waymark.durable;

import java.sql.Connection;
import java.sql.SQLException;

/** One empty database for one test, that stores can be opened on again and again. */
interface TestDatabase extends AutoCloseable {
  /** Options for a store on it. */
  DurableStoreBuilder store();

  /** Options for a store on it whose every clock is this. */
  DurableStoreBuilder store(TestTime time);

  /** A caller's own connection to it, in a transaction. */
  Connection connect() throws SQLException;

  @Override
  void close();
}
