package io.waymark.durable;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One message of a batch that a callback target is to settle: {@link #ack}, {@link #retry} or
 * {@link #deadLetter}. The first of them binds, whatever the callback does afterwards, also if it
 * throws. Each may be called from any thread until the callback returns or its time runs out.
 *
 * <p>They return when the store has it. If the store fails meanwhile they return too, and it is
 * tried again until the claim ends; if that does not succeed either, the message is delivered once
 * more.
 *
 * @param <T> the type of the body
 */
public final class FanoutDelivery<T> {
  private static final Duration LONGEST_RETRY = Duration.ofDays(10_000);

  /** What was decided, in the words of the error about a second decision. */
  enum Outcome {
    ACKNOWLEDGED("it was acknowledged"),
    RETRIED("it was given back to be tried again"),
    DEAD_LETTERED("it was given to the dead letters"),
    RETURNED("the callback returned, and it was acknowledged with that"),
    FAILED("the callback ended without settling it, and it is tried again"),
    TIMED_OUT("the attempt took too long, and it is tried again"),
    STALE("the claim on it has ended, and somebody else may have it");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }
  }

  /** What the engine does with a decision. */
  interface Settler {
    /** Whether the claim was still ours. */
    boolean settle(FanoutRow row, Outcome outcome, @Nullable Duration wait, @Nullable String why);
  }

  private final FanoutRow row;
  private final String target;
  private final T body;
  private final Function<String, T> decoder;
  private final Settler settler;
  private final AtomicReference<@Nullable Outcome> bound = new AtomicReference<>();

  FanoutDelivery(
      FanoutRow row, String target, T body, Function<String, T> decoder, Settler settler) {
    this.row = row;
    this.target = target;
    this.body = body;
    this.decoder = decoder;
    this.settler = settler;
  }

  FanoutRow row() {
    return row;
  }

  StoredMessage<T> stored() {
    return new StoredMessage<>(row, target, decoder);
  }

  /** Names this message at this target, as {@link StoredMessage#id}. */
  public String id() {
    return row.generation() + "/" + target;
  }

  /** What its sender called it. */
  public String messageId() {
    return row.messageId();
  }

  /** The body. */
  public T body() {
    return body;
  }

  /** Which attempt it is, from 1. */
  public int attempt() {
    return row.attempt();
  }

  /** When it was accepted, by the store's clock. */
  public Instant acceptedAt() {
    return StoreClock.instant(row.acceptedMicros());
  }

  /**
   * The target has it.
   *
   * @throws FanoutSettlementException if it has been settled, or its time has run out
   */
  public void ack() {
    settle(Outcome.ACKNOWLEDGED, null, null);
  }

  /**
   * It shall be tried again after the target's backoff; after the last attempt it goes to the dead
   * letters.
   *
   * @throws FanoutSettlementException as {@link #ack}
   */
  public void retry() {
    settle(Outcome.RETRIED, null, null);
  }

  /**
   * It shall be tried again after this time; after the last attempt it goes to the dead letters.
   *
   * @param wait zero or longer, at most 10,000 days
   * @throws IllegalArgumentException if it is negative or longer; then nothing is settled
   * @throws FanoutSettlementException as {@link #ack}
   */
  public void retry(Duration wait) {
    if (wait.isNegative() || wait.compareTo(LONGEST_RETRY) > 0) {
      throw new IllegalArgumentException("wait must be 0 to 10,000 days, was " + wait);
    }
    settle(Outcome.RETRIED, wait, null);
  }

  /**
   * It shall not be tried again: it goes to the dead letters, or where there are none it is removed
   * with an event.
   *
   * @throws FanoutSettlementException as {@link #ack}
   */
  public void deadLetter() {
    settle(Outcome.DEAD_LETTERED, null, null);
  }

  /**
   * As {@link #deadLetter()}.
   *
   * @param why is kept with it
   */
  public void deadLetter(String why) {
    settle(Outcome.DEAD_LETTERED, null, Failures.line(why));
  }

  private void settle(Outcome outcome, @Nullable Duration wait, @Nullable String why) {
    if (!bind(outcome)) {
      throw new FanoutSettlementException(
          "message \"" + row.messageId() + "\" cannot be settled any more: " + boundText());
    }
    if (!settler.settle(row, outcome, wait, why)) {
      bound.set(Outcome.STALE);
      throw new FanoutSettlementException(
          "message \"" + row.messageId() + "\" cannot be settled any more: " + Outcome.STALE.text);
    }
  }

  /** Whether this is the first decision. */
  boolean bind(Outcome outcome) {
    return bound.compareAndSet(null, outcome);
  }

  /** Whether it was decided what becomes of it. */
  boolean isBound() {
    return bound.get() != null;
  }

  private String boundText() {
    Outcome outcome = bound.get();
    return outcome == null ? "" : outcome.text;
  }

  /** The id and the attempt; the body may be secret. */
  @Override
  public String toString() {
    return "FanoutDelivery[" + row.messageId() + " for " + target + ", attempt " + attempt() + "]";
  }
}
