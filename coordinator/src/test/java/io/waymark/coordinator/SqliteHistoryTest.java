package io.waymark.coordinator;

class SqliteHistoryTest extends HistoryContract {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }
}
