package io.waymark.durable;

/** The fan-out on PostgreSQL. */
class PostgresFanoutTest extends FanoutContract {
  @Override
  TestDatabase newDatabase() {
    return new PostgresDatabase();
  }
}
