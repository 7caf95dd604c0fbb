package io.waymark.bench.routing;

import io.waymark.bench.Pairs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several threads that share the calls of a turn. */
final class Crowd implements AutoCloseable {
  private final int threads;
  private final ExecutorService pool;

  Crowd(int threads) {
    this.threads = threads;
    this.pool = Executors.newFixedThreadPool(threads);
  }

  /** The same calls, made by all threads at once; its time is until the last has made its share. */
  Pairs.Turn<Exception> together(Pairs.Turn<RuntimeException> turn) {
    return calls -> {
      List<Future<Integer>> shares = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        shares.add(pool.submit(() -> turn.run(calls / threads)));
      }
      int results = 0;
      for (Future<Integer> share : shares) {
        results |= result(share);
      }
      return results;
    };
  }

  private static int result(Future<Integer> share) throws InterruptedException, ExecutionException {
    return share.get();
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
