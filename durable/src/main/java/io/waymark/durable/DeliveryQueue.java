package io.waymark.durable;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link DeliveryEngine} gets its claims from, and what it does with them. Called from
 * several threads at once.
 *
 * @param <C> what one claim gives the right to deliver
 */
interface DeliveryQueue<C> {
  /** Until the earliest row is due, claimed ones at the end of their lease; empty for no rows. */
  Optional<Duration> untilDue();

  /**
   * Claims what is due, in a transaction of its own.
   *
   * @param token makes this claim different from all others of this owner
   */
  Optional<C> claim(long token, Duration lease);

  /**
   * What to call for a claim.
   *
   * @param asked when the claim was asked for, so that its lease certainly began later
   * @return nothing if there is nothing to call: then the claim has been settled
   */
  @Nullable DeliveryCall prepare(C claim, long asked);

  /** Too much of the lease is gone to begin: settles the claim as if it had not been made. */
  void giveBack(C claim, long asked);
}
