package io.waymark.durable;

/** The databases, and the few words in which their SQL differs. */
enum Dialect {
  SQLITE(
      "sqlite",
      "",
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = :table",
      // The transaction already holds the only right to write.
      "SELECT 1"),
  POSTGRES(
      "postgres",
      "FOR UPDATE SKIP LOCKED",
      "SELECT count(*) FROM pg_class WHERE oid = to_regclass(:table)",
      "SELECT 1 FROM pg_advisory_xact_lock(8241009, 0)");

  private final String folder;
  private final String rowLock;
  private final String tableExists;
  private final String migrationLock;

  Dialect(String folder, String rowLock, String tableExists, String migrationLock) {
    this.folder = folder;
    this.rowLock = rowLock;
    this.tableExists = tableExists;
    this.migrationLock = migrationLock;
  }

  /** The folder of the DDL files. */
  String folder() {
    return folder;
  }

  /**
   * Ends a select whose rows are changed next: locks them, and passes over those that others have.
   */
  String rowLock() {
    return rowLock;
  }

  /** Counts the tables called {@code :table}: 0 or 1. */
  String tableExists() {
    return tableExists;
  }

  /** Waits until no other migration runs. */
  String migrationLock() {
    return migrationLock;
  }
}
