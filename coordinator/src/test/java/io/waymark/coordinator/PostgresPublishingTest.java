package io.waymark.coordinator;

class PostgresPublishingTest extends PublishingContract {
  @Override
  TestDatabase newDatabase() {
    return new PostgresDatabase();
  }
}
