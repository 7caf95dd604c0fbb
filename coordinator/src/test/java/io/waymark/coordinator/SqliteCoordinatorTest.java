package io.waymark.coordinator;

class SqliteCoordinatorTest extends CoordinatorContract {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }
}
