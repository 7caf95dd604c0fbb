package io.waymark.durable;

/** The fan-out on SQLite. */
class SqliteFanoutTest extends FanoutContract {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }
}
