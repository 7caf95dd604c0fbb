package io.waymark.durable;

/** The outbox on SQLite. */
class SqliteOutboxTest extends OutboxContract {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }
}
