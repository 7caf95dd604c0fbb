package io.waymark.coordinator;

class PostgresCrashTest extends CrashContract {
  @Override
  TestDatabase newDatabase() {
    return new PostgresDatabase();
  }
}
