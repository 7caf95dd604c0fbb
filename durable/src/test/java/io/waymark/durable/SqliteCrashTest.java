package io.waymark.durable;

/** Crashes of a process with a store on SQLite. */
class SqliteCrashTest extends CrashContract {
  @Override
  TestDatabase newDatabase() {
    return new SqliteDatabase();
  }

  @Override
  DurableStoreBuilder store(TestDatabase database, TestTime time, Crash crash) {
    return database.store(time).watched(crash::around);
  }
}
