package io.waymark.topology;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store whose every answer a test decides. It answers at once, unless told otherwise. */
final class FakeStore implements SnapshotReader {
  private final Map<String, String> texts = new ConcurrentHashMap<>();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile @Nullable Function<String, CompletionStage<Optional<String>>> instead;
  private volatile @Nullable SnapshotListener listener;
  private volatile boolean closed;

  FakeStore put(Published published) {
    return put(published.group(), SnapshotCodec.encode(published));
  }

  FakeStore put(String group, String text) {
    texts.put(group, text);
    return this;
  }

  FakeStore remove(String group) {
    texts.remove(group);
    return this;
  }

  /** From now on reads are answered by this. */
  FakeStore answer(Function<String, CompletionStage<Optional<String>>> instead) {
    this.instead = instead;
    return this;
  }

  /** From now on reads fail. */
  FakeStore fail() {
    return answer(
        group -> CompletableFuture.failedFuture(new IllegalStateException("the store is down")));
  }

  /** From now on reads are answered by a future that the test completes. */
  CompletableFuture<Optional<String>> hold() {
    CompletableFuture<Optional<String>> held = new CompletableFuture<>();
    answer(group -> held);
    return held;
  }

  /** From now on reads are not answered at all. */
  FakeStore silence() {
    return answer(group -> new CompletableFuture<>());
  }

  /** From now on reads are answered with what was put. */
  FakeStore recover() {
    this.instead = null;
    return this;
  }

  Optional<String> text(String group) {
    return Optional.ofNullable(texts.get(group));
  }

  int reads() {
    return reads.get();
  }

  boolean isClosed() {
    return closed;
  }

  SnapshotListener listener() {
    SnapshotListener watching = listener;
    if (watching == null) {
      throw new IllegalStateException("nobody watches");
    }
    return watching;
  }

  @Override
  public CompletionStage<Optional<String>> read(String group) {
    reads.incrementAndGet();
    Function<String, CompletionStage<Optional<String>>> other = instead;
    return other == null ? CompletableFuture.completedFuture(text(group)) : other.apply(group);
  }

  @Override
  public void watch(SnapshotListener listener) {
    this.listener = listener;
  }

  @Override
  public void close() {
    closed = true;
  }
}
