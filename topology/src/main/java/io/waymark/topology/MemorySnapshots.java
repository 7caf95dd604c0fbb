package io.waymark.topology;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A store in the memory of this process: for tests, and where coordinator and readers are one
 * process. It compares stamps, pushes at once, and forgets everything with the process, or when it
 * is {@linkplain #forget told to}.
 *
 * <p>Thread safe.
 */
public final class MemorySnapshots {
  private final Map<String, String> texts = new ConcurrentHashMap<>();
  private final List<SnapshotListener> listeners = new CopyOnWriteArrayList<>();
  private final List<Runnable> doubters = new CopyOnWriteArrayList<>();

  /** A new reader of this store. */
  public SnapshotReader reader() {
    return new Reader();
  }

  /** A new publisher into this store. */
  public SnapshotPublisher publisher() {
    return new Publisher();
  }

  /** Forgets everything, as a server without persistence that was restarted. */
  public void forget() {
    listeners.forEach(listener -> listener.interrupted("the store was restarted"));
    texts.clear();
    listeners.forEach(SnapshotListener::listening);
    doubters.forEach(Runnable::run);
  }

  /** Stores what is no snapshot. */
  void scribble(String group, String text) {
    texts.put(group, text);
  }

  /** Forgets one group, and tells nobody. */
  void forget(String group) {
    texts.remove(group);
  }

  private final class Reader implements SnapshotReader {
    private volatile @Nullable SnapshotListener listener;
    private volatile boolean closed;

    @Override
    public CompletionStage<Optional<String>> read(String group) {
      return closed
          ? CompletableFuture.failedFuture(new IllegalStateException("the reader is closed"))
          : CompletableFuture.completedFuture(Optional.ofNullable(texts.get(group)));
    }

    @Override
    public void watch(SnapshotListener listener) {
      this.listener = listener;
      listeners.add(listener);
      listener.listening();
    }

    @Override
    public void close() {
      closed = true;
      if (listener != null) {
        listeners.remove(listener);
      }
    }
  }

  private final class Publisher implements SnapshotPublisher {
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
      AtomicReference<WriteOutcome> outcome = new AtomicReference<>(WriteOutcome.applied());
      texts.compute(
          published.group(),
          (group, stored) -> {
            Optional<WriteOutcome> judged = WriteRule.judge(stored, published, encoded, replacing);
            judged.ifPresent(outcome::set);
            return judged.isPresent() ? stored : encoded;
          });
      if (outcome.get().isApplied()) {
        listeners.forEach(listener -> listener.changed(published.group(), published.stamp()));
      }
      return outcome.get();
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
      texts.forEach(
          (group, text) -> WriteRule.stampOf(group, text).ifPresent(s -> each.accept(group, s)));
    }

    @Override
    public void onDoubt(Runnable listener) {
      doubters.add(listener);
    }
  }
}
