package io.waymark.durable;

import java.util.function.BooleanSupplier;

/**
 * One attempt to deliver the value of a key: what a handler is given. Thread safe.
 *
 * @param <T> the type of the value
 */
public final class Delivery<T> {
  private final String key;
  private final long version;
  private final int attempt;
  private final T value;
  private final BooleanSupplier abandoned;

  Delivery(String key, long version, int attempt, T value, BooleanSupplier abandoned) {
    this.key = key;
    this.version = version;
    this.attempt = attempt;
    this.value = value;
    this.abandoned = abandoned;
  }

  /** The key. */
  public String key() {
    return key;
  }

  /**
   * Rises with every value that is staged for the key, also when the key was gone in between. A
   * receiver that keeps the highest version that it applied is safe from deliveries that arrive
   * late or twice.
   */
  public long version() {
    return version;
  }

  /** Which attempt it is for this value, from 1; it may skip numbers. */
  public int attempt() {
    return attempt;
  }

  /** The value. */
  public T value() {
    return value;
  }

  /**
   * Whether the attempt took longer than it may: the thread was interrupted, nobody waits for the
   * answer, and the key is free for the next attempt. What the handler did still happened.
   */
  public boolean isAbandoned() {
    return abandoned.getAsBoolean();
  }

  /** Key, version and attempt; the value may be secret. */
  @Override
  public String toString() {
    return key + " version " + version + " attempt " + attempt;
  }
}
