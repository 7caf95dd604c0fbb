package io.waymark.durable;

import java.util.Optional;

/**
 * How a staged value stands: what {@link Outbox#awaitSettled} answers. Immutable.
 *
 * @param state how it stands
 * @param error what the last attempt failed with, if it did
 */
public record Settlement(State state, Optional<String> error) {
  /** How it stands. */
  public enum State {
    /** It, or a newer value of the same key, has arrived. */
    DELIVERED,
    /** An attempt at it, or at a newer value, ended without success; it goes on being tried. */
    NOT_YET,
    /** It was taken back before it was delivered, as far as the store remembers. */
    CANCELLED,
    /** Nothing is known yet: it is pending, and no attempt at it has ended. */
    PENDING,
    /** The store does not remember the key: it was settled long ago, or never staged. */
    UNKNOWN
  }

  static Settlement of(State state) {
    return new Settlement(state, Optional.empty());
  }

  /** Whether it has arrived. */
  public boolean isDelivered() {
    return state == State.DELIVERED;
  }
}
