package io.waymark.durable;

/** Crashes of a process with a fan-out on SQLite. */
class SqliteFanoutCrashTest extends FanoutCrashContract {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }

  @Override
  DurableStoreBuilder store(TestDatabase database, TestTime time, Crash crash) {
    return database.store(time).watched(crash::around);
  }
}
