package io.waymark.coordinator;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import io.waymark.durable.DurableStore;
import io.waymark.durable.StoreTime;
import io.waymark.testing.SeededRandom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A SQLite file, of which copies are put back. */
final class SqliteModelDatabase implements ModelDatabase {
  private final SqliteDatabase database = new SqliteDatabase();
  private final Path file = database.file();
  private final Path mark = beside(".mark");
  private int copies;

  private Path beside(String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  @Override
  public int processes() {
    return 1;
  }

  @Override
  public DurableStore open(int process, ProcessGate gate, StoreTime time) {
    return time.openFile(database.store(gate::watch));
  }

  @Override
  public void breakConnections(int process) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isPublishing() {
    return database.number(
            "SELECT count(*) FROM waymark_outbox"
                + " WHERE channel = 'waymark.topology' AND claim_token IS NOT NULL")
        > 0;
  }

  @Override
  public Copy copy() {
    Path kept = beside(".copy-" + ++copies);
    Path keptMark = beside(".mark-" + copies);
    database.execute("VACUUM INTO '" + kept + "'");
    try {
      Files.copy(mark, keptMark, REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return dice -> restore(kept, keptMark, dice);
  }

  private boolean restore(Path kept, Path keptMark, SeededRandom dice) {
    try {
      Files.deleteIfExists(beside("-wal"));
      Files.deleteIfExists(beside("-shm"));
      Files.copy(kept, file, REPLACE_EXISTING);
      int way = dice.nextInt(3);
      if (way == 1) {
        Files.delete(mark); // it was copied to another machine
      } else if (way == 2) {
        Files.copy(keptMark, mark, REPLACE_EXISTING); // a snapshot of the whole volume
      }
      return way == 2;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
