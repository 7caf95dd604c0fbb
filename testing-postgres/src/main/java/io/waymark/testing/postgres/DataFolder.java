package io.waymark.testing.postgres;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder that holds a cluster's data. A file beside it is locked as long as the owning JVM
 * lives, so that anybody can tell, in other containers too, whether the folder is still in use: the
 * lock is made before the folder and removed after it.
 */
final class DataFolder implements AutoCloseable {

  /** Puts the data of all clusters below another folder. */
  static final String PROPERTY = "waymark.postgres.folder";

  private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
  private static final String PREFIX = "waymark-pg-";
  private static final String LOCK = ".lock";

  /** Where all copies of this class in one JVM find the JVM's own mark. */
  private static final String MARK = "waymark.postgres.jvm";

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ROOM_PER_NODE = 256L << 20;
  private static final Duration LONE_LOCK = Duration.ofHours(1);

  /** Locks belong to the JVM, not to the thread: inside it, sweeping and making take turns. */
  private static final ReentrantLock TURN = new ReentrantLock();

  private final Path folder;
  private final Path lockFile;
  private final FileChannel lock;

  private DataFolder(Path folder, Path lockFile, FileChannel lock) {
    this.folder = folder;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Makes the folder of a new cluster, and removes those of dead JVMs.
   *
   * @param parent the folder to make it in; null chooses memory if there is room, else the disk
   */
  static DataFolder create(@Nullable Path parent, int nodes) {
    Path base = parent == null ? base(nodes) : parent;
    TURN.lock();
    try {
      Files.createDirectories(base);
      sweep(base);
      String name = prefix() + mark() + "-" + UUID.randomUUID().toString().substring(0, 8);
      Path lockFile = base.resolve(name + LOCK);
      FileChannel lock =
          FileChannel.open(lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      try {
        lock.lock();
        return new DataFolder(Folders.createPrivate(base.resolve(name)), lockFile, lock);
      } catch (IOException | RuntimeException e) {
        lock.close();
        Files.deleteIfExists(lockFile);
        throw e;
      }
    } catch (IOException e) {
      throw new PostgresClusterException(
          "cannot make a data folder in " + base + "; name another one with -D" + PROPERTY, e);
    } finally {
      TURN.unlock();
    }
  }

  private static Path base(int nodes) {
    String configured = System.getProperty(PROPERTY, "");
    if (!configured.isBlank()) {
      return Path.of(configured).toAbsolutePath();
    }
    try {
      if (Files.isWritable(MEMORY)
          && Files.getFileStore(MEMORY).getUsableSpace() > nodes * ROOM_PER_NODE) {
        return MEMORY;
      }
    } catch (IOException e) {
      LOG.debug("{} cannot be used", MEMORY, e);
    }
    return Path.of(System.getProperty("java.io.tmpdir", "/tmp")).toAbsolutePath();
  }

  /** The user's number where there is one, else the name. */
  static String user() {
    int uid = Privileges.currentUid();
    return uid >= 0 ? Integer.toString(uid) : System.getProperty("user.name", "unknown");
  }

  private static String prefix() {
    return PREFIX + user() + "-";
  }

  /**
   * Tells this JVM's folders from those of others; a process id comes again, in containers soon.
   */
  private static String mark() {
    Object mark =
        System.getProperties()
            .computeIfAbsent(
                MARK,
                key ->
                    ProcessHandle.current().pid()
                        + "-"
                        + UUID.randomUUID().toString().substring(0, 8));
    return mark.toString();
  }

  Path path() {
    return folder;
  }

  /**
   * Ends the servers and removes the folders of clusters whose JVM died along with its watchdog.
   */
  private static void sweep(Path base) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (Stream<Path> files = Files.list(base)) {
      files
          .filter(file -> file.getFileName().toString().startsWith(prefix()))
          .forEach(entries::add);
    }
    for (Path entry : entries) {
      try {
        if (entry.toString().endsWith(LOCK)) {
          sweepLoneLock(entry);
        } else if (Files.isDirectory(entry)) {
          sweepFolder(entry);
        }
      } catch (IOException e) {
        LOG.debug("cannot sweep {}", entry, e);
      }
    }
  }

  private static void sweepFolder(Path entry) throws IOException {
    Path lockFile = entry.resolveSibling(entry.getFileName() + LOCK);
    if (isHeld(lockFile)) {
      return;
    }
    LOG.info("Removing {}, which a dead JVM left behind", entry);
    Watchdog.clean(entry);
    Folders.delete(entry);
    Files.deleteIfExists(lockFile);
  }

  /** A lock without a folder may be one of a JVM that is just making both, unless it is old. */
  private static void sweepLoneLock(Path lockFile) throws IOException {
    String name = lockFile.getFileName().toString();
    Path entry = lockFile.resolveSibling(name.substring(0, name.length() - LOCK.length()));
    boolean old =
        Files.getLastModifiedTime(lockFile).toInstant().isBefore(Instant.now().minus(LONE_LOCK));
    if (old && !Files.exists(entry) && !isHeld(lockFile)) {
      Files.deleteIfExists(lockFile);
    }
  }

  private static boolean isHeld(Path lockFile) throws IOException {
    // Closing a channel would drop this JVM's own lock on the same file, so ask by name first.
    if (lockFile.getFileName().toString().startsWith(prefix() + mark() + "-")) {
      return true;
    }
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
        FileLock taken = channel.tryLock()) {
      return taken == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Removes the folder and its lock. The servers must have ended. */
  @Override
  public void close() {
    TURN.lock();
    try {
      Folders.delete(folder);
      Files.deleteIfExists(lockFile);
      lock.close();
    } catch (IOException e) {
      throw new PostgresClusterException("cannot remove " + folder, e);
    } finally {
      TURN.unlock();
    }
  }
}
