package io.waymark.durable;

import io.waymark.core.Backoff;
import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.OptionValue;
import java.time.Duration;
import java.util.Objects;

/**
 * How one target of a fan-out is served. Not thread safe; read once when the fan-out is built.
 *
 * <p>Every method throws {@link OptionException} for a value that cannot be used.
 */
public final class TargetOptions {
  private static final int MOST = 1_000;
  private static final int MOST_ATTEMPTS = 1_000_000;
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  private int batchSize = number(FanoutOptions.BATCH_SIZE);
  private int concurrency = number(FanoutOptions.CONCURRENCY);
  private int attempts = number(FanoutOptions.ATTEMPTS);
  private Duration attemptTimeout = StoreOptions.duration(FanoutOptions.ATTEMPT_TIMEOUT);
  private Duration batchDelay = StoreOptions.duration(FanoutOptions.BATCH_DELAY);
  private Backoff backoff = Backoff.DEFAULT;
  private boolean ackOnReturn;

  TargetOptions() {}

  private static int number(Option option) {
    return Integer.parseInt(option.defaultText());
  }

  /**
   * How many messages a callback gets at most; 10 by default. It gets what is due, without waiting
   * for more. A storage target writes each message on its own.
   *
   * @param messages 1 to 1,000
   */
  public TargetOptions batchSize(int messages) {
    this.batchSize = within(FanoutOptions.BATCH_SIZE, messages, MOST);
    return this;
  }

  /**
   * How many batches of the target this process has under way at once; 8 by default. Of a storage
   * target, how many writes. A message is in one of them whatever this says. With 1, batches follow
   * one another.
   *
   * @param batches 1 to 1,000
   */
  public TargetOptions concurrency(int batches) {
    this.concurrency = within(FanoutOptions.CONCURRENCY, batches, MOST);
    return this;
  }

  /**
   * How often a delivery is begun at most; 5 by default. What is not settled after the last time
   * goes to the dead letters.
   *
   * @param times 1 to 1,000,000
   */
  public TargetOptions attempts(int times) {
    this.attempts = within(FanoutOptions.ATTEMPTS, times, MOST_ATTEMPTS);
    return this;
  }

  /**
   * How long one attempt at a batch, or one write, may take; 30 s by default. Then its thread is
   * interrupted, and what is not settled counts as failed. If the process dies, others wait for
   * this and ten seconds more before they try the messages.
   *
   * @param limit 1 ms to an hour
   */
  public TargetOptions attemptTimeout(Duration limit) {
    this.attemptTimeout =
        OptionValue.within(FanoutOptions.ATTEMPT_TIMEOUT, limit, SHORTEST, LONGEST);
    return this;
  }

  /**
   * New messages become due at the next multiple of this, by the store's clock; at once by default.
   *
   * @param delay zero, or 1 ms to an hour
   */
  public TargetOptions batchDelay(Duration delay) {
    this.batchDelay =
        delay.isZero()
            ? delay
            : OptionValue.within(FanoutOptions.BATCH_DELAY, delay, SHORTEST, LONGEST);
    return this;
  }

  /** How long to wait after failed attempts; {@link Backoff#DEFAULT} by default. */
  public TargetOptions backoff(Backoff backoff) {
    this.backoff = Objects.requireNonNull(backoff, "backoff");
    return this;
  }

  /**
   * What a callback has not settled when it returns is acknowledged, all at once. What it throws
   * acknowledges nothing.
   */
  public TargetOptions ackOnReturn() {
    this.ackOnReturn = true;
    return this;
  }

  private static int within(Option option, int value, int most) {
    if (value < 1 || value > most) {
      throw OptionException.refused(option, value, "it is out of bounds");
    }
    return value;
  }

  int batchSize() {
    return batchSize;
  }

  int concurrency() {
    return concurrency;
  }

  int attempts() {
    return attempts;
  }

  Duration attemptTimeout() {
    return attemptTimeout;
  }

  Duration batchDelay() {
    return batchDelay;
  }

  Backoff backoff() {
    return backoff;
  }

  boolean isAckOnReturn() {
    return ackOnReturn;
  }
}
