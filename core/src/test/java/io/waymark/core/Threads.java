package io.waymark.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs the same work on several threads that start at one moment. */
final class Threads {
  /** What one thread does. */
  interface Work {
    void run(int thread) throws Exception;
  }

  private Threads() {}

  /** Returns when all are done; throws what one of them threw. */
  static void together(int count, Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(count);
    try {
      CyclicBarrier start = new CyclicBarrier(count);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int thread = i;
        running.add(
            pool.submit(
                () -> {
                  start.await();
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get(30, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
