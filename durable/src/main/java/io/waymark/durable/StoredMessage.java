package io.waymark.durable;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * One message for one target, as a storage target and the dead letters get it. Writes may be
 * repeated: let the destination write each {@link #id} once, or overwrite it with the same.
 * Immutable.
 *
 * @param <T> the type of the body
 */
public final class StoredMessage<T> {
  /** Why a message is among the dead letters. */
  public enum Reason {
    /** The consumer said so. */
    EXPLICIT,
    /** All attempts failed. */
    EXHAUSTED
  }

  /**
   * What went wrong.
   *
   * @param reason why it is here
   * @param error what the last failure said, if there was one
   * @param since when it was decided
   */
  public record Failure(Reason reason, Optional<String> error, Instant since) {}

  private final FanoutRow row;
  private final String target;
  private final Function<String, T> decoder;

  StoredMessage(FanoutRow row, String target, Function<String, T> decoder) {
    this.row = row;
    this.target = target;
    this.decoder = decoder;
  }

  /**
   * Names this message at this target: the same at every attempt, and never another's, not even
   * when the same message is accepted again later.
   */
  public String id() {
    return row.generation() + "/" + target;
  }

  /** What its sender called it. */
  public String messageId() {
    return row.messageId();
  }

  /** The target. */
  public String target() {
    return target;
  }

  /**
   * The body.
   *
   * @throws RuntimeException if the stored text is no value of this type; see {@link #text}
   */
  public T body() {
    return decoder.apply(row.body());
  }

  /** The body as it is stored. */
  public String text() {
    return row.body();
  }

  /** When it was accepted, by the store's clock. */
  public Instant acceptedAt() {
    return StoreClock.instant(row.acceptedMicros());
  }

  /** Since it was accepted, at the moment of the claim. */
  public Duration age() {
    return row.age();
  }

  /** How many attempts were begun, this one included where it is being stored. */
  public int attempts() {
    return row.attempt();
  }

  /** Why it is a dead letter; empty at a storage target. */
  public Optional<Failure> failure() {
    FanoutRow.Dead dead = row.dead();
    return dead == null
        ? Optional.empty()
        : Optional.of(
            new Failure(
                dead.reason(),
                Optional.ofNullable(row.lastError()),
                StoreClock.instant(dead.sinceMicros())));
  }

  /**
   * The message to send when it shall be delivered to this target again, with attempts that count
   * from one: accept it for {@link #target} only, and forget the dead letter once it is accepted.
   * However often this is done, it is delivered once as long as it is not settled.
   *
   * @throws RuntimeException as {@link #body}
   */
  public FanoutMessage<T> again() {
    return new FanoutMessage<>(messageId(), id(), body());
  }

  /** The id; the body may be secret. */
  @Override
  public String toString() {
    return "StoredMessage[" + messageId() + " for " + target + "]";
  }
}
