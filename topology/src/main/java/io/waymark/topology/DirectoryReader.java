package io.waymark.topology;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads groups from files, and watches their directory. */
final class DirectoryReader implements SnapshotReader {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryReader.class);

  private final Path directory;
  private final SnapshotReader files;
  private volatile @Nullable WatchService watching;
  private volatile boolean closed;

  DirectoryReader(Path directory) {
    this.directory = directory;
    this.files =
        SnapshotReader.blocking(
            group -> DirectorySnapshots.text(directory.resolve(GroupFiles.name(group))));
  }

  @Override
  public CompletionStage<Optional<String>> read(String group) {
    return files.read(group);
  }

  @Override
  public void watch(SnapshotListener listener) {
    Thread thread = new Thread(() -> watchAll(listener), "waymark-topology-directory");
    thread.setDaemon(true);
    thread.start();
  }

  private void watchAll(SnapshotListener listener) {
    try (WatchService service = directory.getFileSystem().newWatchService()) {
      directory.register(
          service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
      watching = service;
      if (closed) {
        return;
      }
      listener.listening();
      boolean there = true;
      while (there) {
        WatchKey key = service.take();
        for (WatchEvent<?> event : key.pollEvents()) {
          tell(event, listener);
        }
        there = key.reset();
      }
      listener.interrupted("the directory is gone");
    } catch (ClosedWatchServiceException e) {
      LOG.debug("the reader of {} was closed", directory);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.warn("the directory {} is not watched any more", directory, e);
      listener.interrupted("watching the directory failed");
    }
  }

  private void tell(WatchEvent<?> event, SnapshotListener listener) {
    if (event.kind() == StandardWatchEventKinds.OVERFLOW) {
      listener.listening(); // some were missed
    } else if (event.context() instanceof Path name && GroupFiles.isOne(name)) {
      published(directory.resolve(name))
          .ifPresent(found -> listener.changed(found.group(), found.stamp()));
    }
  }

  /** What a file holds; empty if that is nothing that can be used. */
  static Optional<Published> published(Path file) {
    try {
      return DirectorySnapshots.text(file).map(SnapshotCodec::decodeAny);
    } catch (IOException | InvalidSnapshotException e) {
      LOG.warn("{} holds no snapshot", file, e);
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    closed = true;
    files.close();
    WatchService service = watching;
    if (service != null) {
      try {
        service.close();
      } catch (IOException e) {
        LOG.debug("the watch on {} did not close", directory, e);
      }
    }
  }
}
