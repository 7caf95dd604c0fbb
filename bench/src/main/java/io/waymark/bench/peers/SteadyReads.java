package io.waymark.bench.peers;

import io.waymark.postgres.StatementPath;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads that begin at a steady rate, a few at once and each on a thread of its own, whatever became
 * of those before: as the requests of a service do. A reader that waits for its answer before it
 * asks again would meet an outage once, and call it one slow read.
 *
 * <p>Used by one thread.
 */
final class SteadyReads implements AutoCloseable {
  private static final long SECOND = 1_000_000_000;

  private final StatementPath path;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "bench-read");
            thread.setDaemon(true); // one that hangs is left behind
            return thread;
          });

  SteadyReads(StatementPath path) {
    this.path = path;
  }

  /** What became of one read. */
  private record Done(long nanos, @Nullable String failure) {}

  /** Begins reads for a time and waits for all of them, or until the patience ends. */
  Result.Outage during(Scenario scenario, Duration load, Duration patience)
      throws InterruptedException {
    List<Future<Done>> reads = new ArrayList<>();
    long begun = System.nanoTime();
    long due = begun;
    for (int i = 0; due - begun < load.toNanos(); i++, due += Plan.EVERY.toNanos()) {
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      long wanted = due;
      for (int j = 0; j < Plan.AT_ONCE; j++) {
        boolean transaction = (i + j) % 2 == 1;
        reads.add(threads.submit(() -> read(transaction, wanted)));
      }
    }
    return result(scenario, reads, begun + load.plus(patience).toNanos(), patience);
  }

  private Done read(boolean transaction, long wanted) {
    String failure = null;
    try {
      int balance = transaction ? path.readTransaction() : path.read();
      if (balance == 0) {
        failure = "the account was not there";
      }
    } catch (SQLException | RuntimeException e) {
      failure = String.valueOf(e.getMessage());
    }
    return new Done(System.nanoTime() - wanted, failure);
  }

  private static Result.Outage result(
      Scenario scenario, List<Future<Done>> reads, long until, Duration patience)
      throws InterruptedException {
    int failed = 0;
    int hung = 0;
    int overASecond = 0;
    long slowest = 0;
    String failure = "";
    for (Future<Done> read : reads) {
      long nanos;
      try {
        Done done = read.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        nanos = done.nanos();
        if (done.failure() != null) {
          failed++;
          failure = failure.isEmpty() ? done.failure() : failure;
        }
      } catch (TimeoutException e) {
        nanos = patience.toNanos();
        hung++;
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
      slowest = Math.max(slowest, nanos);
      overASecond += nanos > SECOND ? 1 : 0;
    }
    return new Result.Outage(
        scenario, reads.size(), failed, hung, slowest / 1e6, overASecond, failure);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
