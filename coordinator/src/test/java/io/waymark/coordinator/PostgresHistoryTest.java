package io.waymark.coordinator;

class PostgresHistoryTest extends HistoryContract {
  @Override
  TestDatabase newDatabase() {
    return new PostgresDatabase();
  }
}
