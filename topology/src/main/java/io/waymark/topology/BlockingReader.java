package io.waymark.topology;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes reads that block into answers that come later. A group waits for a thread at most once,
 * whoever asks for it meanwhile, so that a store that hangs for hours does not pile up questions.
 */
final class BlockingReader implements SnapshotReader {
  private static final int THREADS = 8;

  private final Read read;
  private final AtomicInteger started = new AtomicInteger();
  private final Map<String, Asked> waiting = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::thread);

  BlockingReader(Read read) {
    this.read = read;
    threads.allowCoreThreadTimeOut(true);
  }

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, "waymark-topology-read-" + started.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public CompletionStage<Optional<String>> read(String group) {
    Asked mine = new Asked(group);
    Asked asked = waiting.putIfAbsent(group, mine);
    if (asked != null) {
      return asked.answer.copy(); // it begins later than now, which is as good
    }
    try {
      threads.execute(mine);
    } catch (RejectedExecutionException e) {
      mine.refuse();
    }
    return mine.answer.copy();
  }

  /** A read that waits for a thread, or runs. */
  private final class Asked implements Runnable {
    final String group;
    final CompletableFuture<Optional<String>> answer = new CompletableFuture<>();

    Asked(String group) {
      this.group = group;
    }

    @Override
    @SuppressWarnings("CatchThrowable") // whoever waits must hear of errors too
    public void run() {
      waiting.remove(group, this); // who asks from here on needs a later read
      try {
        answer.complete(read.read(group));
      } catch (Throwable e) {
        answer.completeExceptionally(e);
      }
    }

    void refuse() {
      waiting.remove(group, this);
      answer.completeExceptionally(new IllegalStateException("the reader is closed"));
    }
  }

  @Override
  public void close() {
    for (Runnable waiting : threads.shutdownNow()) {
      ((Asked) waiting).refuse();
    }
  }
}
