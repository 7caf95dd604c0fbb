package io.waymark.coordinator;

class PostgresLifecycleTest extends LifecycleContract {
  @Override
  TestDatabase newDatabase() {
    return new PostgresDatabase();
  }
}
