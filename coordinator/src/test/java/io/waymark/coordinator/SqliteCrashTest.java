package io.waymark.coordinator;

class SqliteCrashTest extends CrashContract {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }
}
