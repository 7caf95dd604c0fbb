package io.waymark.coordinator;

class SqlitePublishingTest extends PublishingContract {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }
}
