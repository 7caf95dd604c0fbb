package io.waymark.durable;

/** The outbox on PostgreSQL. */
class PostgresOutboxTest extends OutboxContract {
  @Override
  TestDatabase newDatabase() {
    return new PostgresDatabase();
  }
}
