package io.waymark.durable;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of a handler for a claim, as a {@link DeliveryEngine} makes it. Either {@link #ended} or
 * {@link #overdue} is called, once, and settles the claim.
 */
interface DeliveryCall {
  /** The attempt begins. */
  default void begin() {}

  /**
   * Calls the handler on this thread, which is interrupted when it takes too long.
   *
   * @param abandoned whether it took too long
   * @throws Exception what the handler threw: the attempt failed
   */
  void run(BooleanSupplier abandoned) throws Exception;

  /** The handler ended in time. */
  void ended(@Nullable Throwable failure, Duration took);

  /** The handler takes too long and was given up; it may still run. */
  void overdue();

  /** A handler that was given up has ended after all. */
  void late(@Nullable Throwable failure, Duration took);
}
