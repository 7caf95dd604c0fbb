package io.waymark.durable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A SQLite file that belongs to one store of one process: as long as this is open, an operating
 * system's lock on the file beside it keeps all others out. It ends with the process, however that
 * dies. The database file itself is not locked: on POSIX systems that would undo SQLite's own
 * locks.
 */
final class StoreFile implements AutoCloseable {
  private final Path database;
  private final FileChannel channel;

  private StoreFile(Path database, FileChannel channel) {
    this.database = database;
    this.channel = channel;
  }

  static StoreFile open(Path file) {
    Path database = real(file);
    Path beside = database.resolveSibling(database.getFileName() + ".lock");
    FileChannel channel = null;
    try {
      channel = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel) != null) {
        return new StoreFile(database, channel);
      }
      channel.close();
    } catch (IOException e) {
      closeQuietly(channel);
      throw new DurableStoreException(
          StoreError.FAILED, "cannot lock " + beside + ": " + e.getMessage(), e);
    }
    throw new DurableStoreException(
        StoreError.IN_USE,
        database
            + " is open in another store or process; a SQLite store belongs to one at a time. Close"
            + " the other, or use PostgreSQL to share.");
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another store of this JVM
    }
  }

  /** One name for one file, so that a link is no way round the lock. */
  private static Path real(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path folder = absolute.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new DurableStoreException(
          StoreError.FAILED, "there is no folder " + folder + " for the store; create it first");
    }
    try {
      return Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)
          ? absolute.toRealPath()
          : folder.toRealPath().resolve(absolute.getFileName());
    } catch (IOException e) {
      throw new DurableStoreException(
          StoreError.FAILED, "cannot find " + absolute + ": " + e.getMessage(), e);
    }
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // It was never used.
      }
    }
  }

  Path database() {
    return database;
  }

  /**
   * Lets the next one in. The file beside stays: removing it could take it from under a new lock.
   */
  @Override
  public void close() {
    closeQuietly(channel);
  }
}
