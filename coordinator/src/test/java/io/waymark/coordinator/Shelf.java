package io.waymark.coordinator;

import io.waymark.topology.MemorySnapshots;
import io.waymark.topology.Published;
import io.waymark.topology.SnapshotCodec;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.SnapshotReader;
import io.waymark.topology.SnapshotSeams;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A store of snapshots as the model's tests need one: it can be looked into, and it can forget. */
interface Shelf {
  SnapshotPublisher publisher();

  SnapshotReader reader();

  /** Whether it can forget and tell what it holds. */
  boolean compares();

  void forget();

  void forget(String group);

  /** What readers find; empty for what was never published or is lost. */
  default Optional<Published> stored(String group) {
    SnapshotReader reader = reader();
    try {
      return reader
          .read(group)
          .toCompletableFuture()
          .join()
          .filter(text -> text.startsWith("{"))
          .map(text -> SnapshotCodec.decode(group, text));
    } finally {
      reader.close();
    }
  }

  /** Compares stamps, and pushes. */
  static Shelf inMemory() {
    MemorySnapshots snapshots = new MemorySnapshots();
    return new Shelf() {
      @Override
      public SnapshotPublisher publisher() {
        return snapshots.publisher();
      }

      @Override
      public SnapshotReader reader() {
        return snapshots.reader();
      }

      @Override
      public boolean compares() {
        return true;
      }

      @Override
      public void forget() {
        snapshots.forget();
      }

      @Override
      public void forget(String group) {
        SnapshotSeams.forget(snapshots, group);
      }
    };
  }

  /** Keeps whatever arrives last. */
  static Shelf overwriting() {
    Map<String, String> texts = new ConcurrentHashMap<>();
    return new Shelf() {
      @Override
      public SnapshotPublisher publisher() {
        return SnapshotPublisher.overwriting(texts::put);
      }

      @Override
      public SnapshotReader reader() {
        return group -> CompletableFuture.completedFuture(Optional.ofNullable(texts.get(group)));
      }

      @Override
      public boolean compares() {
        return false;
      }

      @Override
      public void forget() {
        throw new UnsupportedOperationException();
      }

      @Override
      public void forget(String group) {
        throw new UnsupportedOperationException();
      }
    };
  }
}
