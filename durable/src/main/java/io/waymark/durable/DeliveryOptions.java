package io.waymark.durable;

import io.waymark.core.Backoff;
import io.waymark.core.OptionException;
import io.waymark.core.OptionValue;
import java.time.Duration;
import java.util.Objects;

/**
 * How one channel delivers. Not thread safe; read once when the outbox is built.
 *
 * <p>Every method throws {@link OptionException} for a value that cannot be used.
 */
public final class DeliveryOptions {
  private static final int MOST = 1_000;
  private static final Duration SHORTEST_ATTEMPT = Duration.ofMillis(1);
  private static final Duration LONGEST_ATTEMPT = Duration.ofHours(1);

  private int concurrency = Integer.parseInt(StoreOptions.CONCURRENCY.defaultText());
  private Duration attemptTimeout = StoreOptions.duration(StoreOptions.ATTEMPT_TIMEOUT);
  private Backoff backoff = Backoff.DEFAULT;

  DeliveryOptions() {}

  /**
   * How many keys are delivered at once by this process; 8 by default. A key is delivered by one
   * attempt at a time whatever this says.
   *
   * @param keys 1 to 1,000
   */
  public DeliveryOptions concurrency(int keys) {
    if (keys < 1 || keys > MOST) {
      throw OptionException.refused(StoreOptions.CONCURRENCY, keys, "it is out of bounds");
    }
    this.concurrency = keys;
    return this;
  }

  /**
   * How long one attempt may take; 30 s by default. Then its thread is interrupted and the attempt
   * counts as failed. If the process dies, others wait for this and ten seconds more before they
   * try the key.
   *
   * @param limit 1 ms to an hour
   */
  public DeliveryOptions attemptTimeout(Duration limit) {
    this.attemptTimeout =
        OptionValue.within(StoreOptions.ATTEMPT_TIMEOUT, limit, SHORTEST_ATTEMPT, LONGEST_ATTEMPT);
    return this;
  }

  /** How long to wait after failures; {@link Backoff#DEFAULT} by default. */
  public DeliveryOptions backoff(Backoff backoff) {
    this.backoff = Objects.requireNonNull(backoff, "backoff");
    return this;
  }

  int concurrency() {
    return concurrency;
  }

  Duration attemptTimeout() {
    return attemptTimeout;
  }

  Backoff backoff() {
    return backoff;
  }
}
