package io.waymark.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One question for all who ask at the same time.
 *
 * <p>Who asks joins the question that has not started yet, so that every answer comes from a
 * question that started after it was asked for. One worker starts the questions and completes them;
 * a question that is running does not keep the next from gathering askers.
 *
 * <p>Thread safe and lock-free.
 *
 * @param <A> the answer's type
 */
public final class SingleFlight<A> {
  private final AtomicReference<@Nullable CompletableFuture<A>> gathering = new AtomicReference<>();
  private final Runnable wake;

  /**
   * @param wake tells the worker that a question waits; called by the asker that opened it. It must
   *     not throw
   */
  public SingleFlight(Runnable wake) {
    this.wake = wake;
  }

  /** Joins the next question. All askers share the future: none may complete or cancel it. */
  public CompletableFuture<A> ask() {
    while (true) {
      CompletableFuture<A> waiting = gathering.get();
      if (waiting != null) {
        return waiting;
      }
      CompletableFuture<A> opened = new CompletableFuture<>();
      if (gathering.compareAndSet(null, opened)) {
        wake.run();
        return opened;
      }
    }
  }

  /** Whether this question has not started yet. */
  public boolean isGathering(CompletableFuture<A> question) {
    return gathering.get() == question;
  }

  /** Whether somebody waits for a question that has not started. */
  public boolean isWanted() {
    return gathering.get() != null;
  }

  /**
   * The worker starts the next question: who asks from now on joins another one.
   *
   * @return what the worker completes; nobody may wait for it
   */
  public CompletableFuture<A> start() {
    CompletableFuture<A> waiting = gathering.getAndSet(null);
    return waiting == null ? new CompletableFuture<>() : waiting;
  }
}
