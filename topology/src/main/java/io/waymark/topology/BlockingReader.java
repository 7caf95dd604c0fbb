package io.waymark.topology;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes reads that block into answers that come later. */
final class BlockingReader implements SnapshotReader {
  private static final int THREADS = 8;

  private final Read read;
  private final AtomicInteger started = new AtomicInteger();
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
    Asked asked = new Asked(group);
    try {
      threads.execute(asked);
    } catch (RejectedExecutionException e) {
      asked.refuse();
    }
    return asked.answer;
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
      try {
        answer.complete(read.read(group));
      } catch (Throwable e) {
        answer.completeExceptionally(e);
      }
    }

    void refuse() {
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
