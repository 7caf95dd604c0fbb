package io.waymark.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A store in a directory of one machine: one file for each group, replaced by an atomic rename, so
 * that no reader sees half a snapshot. Processes of this machine may share it; a directory that is
 * shared over a network may not be used, since file locks and watching do not hold there.
 *
 * <p>It compares stamps and keeps what it holds across restarts. Where the system watches
 * directories, as Linux does, a change is pushed within milliseconds.
 *
 * <p>Thread safe.
 */
public final class DirectorySnapshots {
  private static final String LOCK = ".lock";

  /** A lock on a file holds against other processes only; within this one these do. */
  private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

  private final Path directory;

  private DirectorySnapshots(Path directory) {
    this.directory = directory;
  }

  /**
   * The store in a directory, which is created where it is not there.
   *
   * @throws SnapshotStoreException if it cannot be created or is no directory
   */
  public static DirectorySnapshots in(Path directory) {
    try {
      return new DirectorySnapshots(Files.createDirectories(directory).toRealPath());
    } catch (IOException e) {
      throw new SnapshotStoreException(
          "the directory " + directory + " cannot be used for snapshots", e);
    }
  }

  /** A new reader of this store; watches the directory where a client asks for it. */
  public SnapshotReader reader() {
    return new DirectoryReader(directory);
  }

  /** A new publisher into this store. */
  public SnapshotPublisher publisher() {
    return new Publisher(directory);
  }

  /** What a file holds; empty if it is not there any more. */
  static Optional<String> text(Path file) throws IOException {
    try {
      if (Files.size(file) > 4L * SnapshotCodec.LONGEST) {
        return Optional.of(""); // no snapshot; not worth the memory
      }
      return Optional.of(new String(Files.readAllBytes(file), UTF_8));
    } catch (NoSuchFileException e) {
      Path directory = file.getParent();
      if (directory != null && !Files.isDirectory(directory)) {
        throw e; // a store that is not there has not said that it holds nothing
      }
      return Optional.empty();
    }
  }

  private record Publisher(Path directory) implements SnapshotPublisher {
    @Override
    public WriteOutcome write(Published published) {
      return put(published, null);
    }

    @Override
    public WriteOutcome replace(Stamp found, Published published) {
      return put(published, WriteRule.replacing(found, published));
    }

    private WriteOutcome put(Published published, @Nullable Stamp replacing) {
      String encoded = SnapshotCodec.encode(published);
      ReentrantLock ours = LOCKS.computeIfAbsent(directory, path -> new ReentrantLock());
      boolean renamed = false;
      ours.lock();
      try (FileChannel channel =
          FileChannel.open(
              directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        channel.lock(); // given back when the channel closes
        Path file = directory.resolve(GroupFiles.name(published.group()));
        Optional<WriteOutcome> judged =
            WriteRule.judge(text(file).orElse(null), published, encoded, replacing);
        if (judged.isPresent()) {
          return judged.get();
        }
        Path next = directory.resolve(GroupFiles.temporary(published.group()));
        fill(next, encoded);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        renamed = true;
      } catch (IOException e) {
        return renamed ? new WriteOutcome.Uncertain(e) : new WriteOutcome.NotWritten(e);
      } finally {
        ours.unlock();
      }
      return keep();
    }

    private static void fill(Path file, String encoded) throws IOException {
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded.getBytes(UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
    }

    /** Makes the rename outlive a crash of the machine, where directories can be flushed. */
    private WriteOutcome keep() {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      } catch (IOException e) {
        return System.getProperty("os.name", "").startsWith("Windows")
            ? WriteOutcome.applied()
            : new WriteOutcome.Uncertain(e);
      }
      return WriteOutcome.applied();
    }

    @Override
    public boolean comparesStamps() {
      return true;
    }

    @Override
    public boolean canSweep() {
      return true;
    }

    @Override
    public void sweep(BiConsumer<String, Stamp> each) {
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(directory, path -> GroupFiles.isOne(path))) {
        for (Path file : files) {
          DirectoryReader.published(file)
              .ifPresent(found -> each.accept(found.group(), found.stamp()));
        }
      } catch (IOException | UncheckedIOException e) {
        throw new SnapshotStoreException("the directory " + directory + " cannot be read", e);
      }
    }
  }
}
