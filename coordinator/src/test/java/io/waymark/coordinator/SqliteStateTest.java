package io.waymark.coordinator;

class SqliteStateTest extends StateContract {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }
}
