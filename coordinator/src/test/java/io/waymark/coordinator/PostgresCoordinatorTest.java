package io.waymark.coordinator;

class PostgresCoordinatorTest extends CoordinatorContract {
  @Override
  TestDatabase newDatabase() {
    return new PostgresDatabase();
  }
}
