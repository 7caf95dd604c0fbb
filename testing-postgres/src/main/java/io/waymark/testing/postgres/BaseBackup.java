package io.waymark.testing.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Copies a running server's data folder, as "Making a Base Backup Using the Low Level API" in
 * PostgreSQL's manual describes, because the bundled binaries have no {@code pg_basebackup}. What
 * changes during the copy is mended by the log that the new standby streams from the backup's
 * start.
 */
final class BaseBackup {

  private static final int CONTROL_FILE_ATTEMPTS = 50;

  /** Folders that are copied empty, and files that are not copied; the manual lists them. */
  private static final Set<String> SKIPPED =
      Set.of(
          "pg_wal",
          "pg_replslot",
          "pg_dynshmem",
          "pg_notify",
          "pg_serial",
          "pg_snapshots",
          "pg_stat_tmp",
          "pg_subtrans",
          "postmaster.pid",
          "postmaster.opts",
          "postgresql.auto.conf",
          "standby.signal",
          "global/pg_control");

  private BaseBackup() {}

  /** Replaces the target's data, which must be down, by a copy of the source's. */
  static void copy(PostgresNode source, PostgresNode target) {
    Path data = target.server().data();
    String label =
        source.withConnection(
            connection -> {
              try {
                return copy(connection, source.server().data(), data);
              } catch (IOException e) {
                throw new PostgresClusterException(
                    "cannot copy " + source.name() + " to " + target.name() + ": " + e, e);
              }
            });
    target.write(data.resolve("backup_label"), label);
    target.write(data.resolve("postgresql.auto.conf"), "");
  }

  private static String copy(Connection connection, Path from, Path to)
      throws SQLException, IOException {
    PostgresNode.string(connection, "SELECT pg_backup_start('waymark', true)");
    Folders.delete(to);
    Folders.copy(from, to, BaseBackup::isCopied);
    Folders.createPrivate(to.resolve("pg_wal").resolve("archive_status"));
    copyControlFile(from, to);
    return PostgresNode.string(connection, "SELECT labelfile FROM pg_backup_stop(false)");
  }

  private static boolean isCopied(Path relative) {
    return !SKIPPED.contains(relative.toString())
        && !relative.getFileName().toString().startsWith("pgsql_tmp");
  }

  /** Last, so that it is not older than what it describes; again, if it was torn. */
  private static void copyControlFile(Path from, Path to) throws IOException {
    for (int attempt = 0; attempt < CONTROL_FILE_ATTEMPTS; attempt++) {
      Files.copy(
          ControlFile.path(from),
          ControlFile.path(to),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.COPY_ATTRIBUTES);
      if (ControlFile.isWhole(to)) {
        return;
      }
    }
    throw new IOException("pg_control of " + from + " is never whole");
  }
}
