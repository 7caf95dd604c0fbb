package io.waymark.core;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one loop that carries a request from the view to the transport, and the only place that walks
 * back: it gets the evidence that a decision asks for, sends the call, and after a failure decides
 * again without the members that failed, for as long as the rules of the journey allow.
 *
 * <p>Stateless and thread safe; it runs on the caller's thread and never holds a lock. What it
 * waits for is bounded by the journey's deadline.
 */
public final class Attempts {
  /** The most members that one call is sent to. */
  public static final int MOST = 3;

  /** Whether a failed call may be sent to another member. */
  public enum Verdict {
    /** Decide again without the member that failed. */
    ELSEWHERE,
    /** The failure is the answer. */
    GIVE_UP
  }

  /**
   * What a product gives: its decision, its evidence, its transport, its judgement. One journey is
   * one request of one thread.
   *
   * @param <M> the members' type
   * @param <R> what the call returns
   * @param <X> how the call fails
   */
  public interface Journey<M extends Member, R, X extends Exception> {
    /** Where to, given what was tried. Pure. */
    Decision<M> decide(Tried tried);

    /**
     * Asks for fresher evidence about this member; all who ask at the same time share one question.
     * Completes when the view holds the evidence, or exceptionally when there is none to be had.
     */
    CompletionStage<?> evidence(M member);

    /** Sends the call. */
    R carry(Decision.Chosen<M> chosen) throws X;

    /** How the call fails; only such failures are judged. */
    Class<X> failureType();

    /** What this failure means for the call. */
    Verdict judge(M member, X failure, Tried tried);

    /**
     * The error for a request that nobody may serve.
     *
     * @param failure what the last call failed with, earlier failures suppressed in it; null if
     *     none was sent
     */
    X refused(Reason reason, @Nullable X failure);

    /** The error for a caller that was interrupted while it waited for evidence. */
    X interrupted(InterruptedException cause);

    /** Up to when evidence is waited for, on the journey's ticker. */
    long deadline();

    /** Monotonic nanoseconds. */
    LongSupplier ticker();
  }

  private Attempts() {}

  /**
   * Carries one request to its end.
   *
   * @throws X the journey's refusal, or the failure of the last call with earlier ones suppressed
   *     in it
   */
  public static <M extends Member, R, X extends Exception> R run(Journey<M, R, X> journey)
      throws X {
    Tried tried = Tried.NOTHING;
    X failure = null;
    while (true) {
      Decision<M> decision = journey.decide(tried);
      if (decision instanceof Decision.NeedsEvidence<M> needs) {
        if (tried.wasAsked(needs.member())) {
          throw new IllegalStateException(
              needs.member().name() + " was asked for evidence already");
        }
        await(journey, needs.member());
        tried = tried.asked(needs.member());
      } else if (decision instanceof Decision.Refused<M> refused) {
        throw journey.refused(refused.reason(), failure);
      } else if (decision instanceof Decision.Chosen<M> chosen) {
        try {
          return journey.carry(chosen);
        } catch (Exception e) {
          X last = failureOf(journey, e);
          suppress(last, failure);
          failure = last;
        }
        Verdict verdict = journey.judge(chosen.member(), failure, tried);
        if (verdict == Verdict.GIVE_UP || tried.failures() + 1 >= MOST) {
          throw failure;
        }
        tried = tried.failed(chosen.member());
      }
    }
  }

  /** The failure as the journey knows it; whatever else was thrown is a bug and goes through. */
  private static <M extends Member, R, X extends Exception> X failureOf(
      Journey<M, R, X> journey, Exception e) {
    if (journey.failureType().isInstance(e)) {
      return journey.failureType().cast(e);
    }
    if (e instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    throw new IllegalStateException("carry threw what it does not declare", e);
  }

  private static void suppress(Exception last, @Nullable Exception earlier) {
    if (earlier != null && earlier != last) {
      last.addSuppressed(earlier);
    }
  }

  private static <M extends Member, R, X extends Exception> void await(
      Journey<M, R, X> journey, M member) throws X {
    try {
      await(journey.evidence(member), journey.deadline(), journey.ticker());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw journey.interrupted(e);
    }
  }

  /**
   * Waits for evidence, up to a deadline. Evidence that fails or is late is no evidence: the next
   * decision says what that means.
   *
   * @return what was learnt; null for nothing
   */
  public static <E> @Nullable E await(
      CompletionStage<E> evidence, long deadline, LongSupplier ticker) throws InterruptedException {
    long left = Math.max(0, deadline - ticker.getAsLong());
    try {
      return evidence.toCompletableFuture().get(left, TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException | CancellationException e) {
      return null;
    }
  }
}
