package io.waymark.coordinator;

class SqliteLifecycleTest extends LifecycleContract {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }
}
