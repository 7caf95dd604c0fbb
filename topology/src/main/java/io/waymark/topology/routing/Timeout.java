package io.waymark.topology.routing;

import io.waymark.core.Outcome;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stops waiting for a push after a time. The call goes on: nothing is cancelled, and the shard may
 * accept what its caller gave up on. To the router the call is under way until it ends, and its
 * outcome counts whenever it comes.
 *
 * <p>So that its caller can leave, the push runs on another thread: what a stub or a rule keeps in
 * thread locals is not there. A call that never ends keeps its thread; give the stub a timeout of
 * its own too.
 */
public final class Timeout {
  private Timeout() {}

  /**
   * The transform that waits for this long, with pushes on daemon threads that are started as
   * needed and end when they were idle for ten seconds.
   *
   * @param limit not negative
   * @throws IllegalArgumentException if it is negative
   */
  public static <I, R> Transform<I, R> of(Duration limit) {
    return of(limit, Threads.POOL);
  }

  /**
   * The transform that waits for this long, with pushes on this executor's threads. Time that a
   * push waits for a thread counts; one whose caller left before it had a thread is not sent.
   *
   * @param limit not negative
   * @param executor runs the pushes; what it throws when it takes none the caller gets
   * @throws IllegalArgumentException if the limit is negative
   */
  public static <I, R> Transform<I, R> of(Duration limit, Executor executor) {
    Objects.requireNonNull(executor, "executor");
    if (limit.isNegative()) {
      throw new IllegalArgumentException("a timeout must not be negative, was " + limit);
    }
    return session -> new Wait<>(session, limit).on(executor);
  }

  /** One push and the caller that waits for it. */
  private static final class Wait<I, R> implements Runnable {
    private final RoutingSession<I, R> session;
    private final Duration limit;
    private final CompletableFuture<Outcome<R>> answer = new CompletableFuture<>();

    /** Set by the push when it begins, or by its caller when that leaves before. */
    private final AtomicBoolean decided = new AtomicBoolean();

    Wait(RoutingSession<I, R> session, Duration limit) {
      this.session = session;
      this.limit = limit;
    }

    @Override
    public void run() {
      if (!decided.compareAndSet(false, true)) {
        return;
      }
      try {
        answer.complete(session.next());
      } catch (Throwable e) { // errors too: whoever waits must hear of them
        answer.completeExceptionally(e);
      }
    }

    Outcome<R> on(Executor executor) {
      executor.execute(this);
      try {
        return answer.get(nanos(limit), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        throw PushTimeoutException.after(session.method(), limit, isUnsent());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw PushTimeoutException.interrupted(session.method(), isUnsent());
      } catch (ExecutionException e) {
        // The exception that there would be without a timeout, not one about it.
        Timeout.<RuntimeException>rethrow(Objects.requireNonNull(e.getCause()));
        throw new AssertionError(e);
      }
    }

    private boolean isUnsent() {
      return decided.compareAndSet(false, true);
    }
  }

  private static long nanos(Duration limit) {
    try {
      return limit.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  @SuppressWarnings("unchecked") // erased: whatever it is, it is thrown as it is
  private static <E extends Throwable> void rethrow(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** Made when the first timeout needs them. */
  private static final class Threads {
    private static final AtomicLong NUMBER = new AtomicLong();

    static final Executor POOL =
        new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), Threads::thread);

    private static Thread thread(Runnable work) {
      Thread thread = new Thread(work, "waymark-push-" + NUMBER.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    }
  }
}
