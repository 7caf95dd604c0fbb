package io.waymark.durable;

/** Crashes of a process with a fan-out on PostgreSQL. */
class PostgresFanoutCrashTest extends FanoutCrashContract {
  @Override
  TestDatabase newDatabase() {
    return new PostgresDatabase();
  }

  @Override
  DurableStoreBuilder store(TestDatabase database, TestTime time, Crash crash) {
    return ((PostgresDatabase) database).store(time, crash::around);
  }
}
