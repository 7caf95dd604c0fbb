package io.waymark.coordinator;

class PostgresStateTest extends StateContract {
  @Override
  TestDatabase newDatabase() {
    return new PostgresDatabase();
  }
}
