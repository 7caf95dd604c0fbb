package io.waymark.durable;

import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Some messages for one callback target: those that were never attempted before, in the order in
 * which they were accepted, and after them those that are tried again. Immutable.
 *
 * @param <T> the type of the bodies
 */
public final class FanoutBatch<T> implements Iterable<FanoutDelivery<T>> {
  private final String target;
  private final List<FanoutDelivery<T>> deliveries;
  private final BooleanSupplier abandoned;

  FanoutBatch(String target, List<FanoutDelivery<T>> deliveries, BooleanSupplier abandoned) {
    this.target = target;
    this.deliveries = List.copyOf(deliveries);
    this.abandoned = abandoned;
  }

  /** The target. */
  public String target() {
    return target;
  }

  /** The messages, at least one. */
  public List<FanoutDelivery<T>> deliveries() {
    return deliveries;
  }

  @Override
  public Iterator<FanoutDelivery<T>> iterator() {
    return deliveries.iterator();
  }

  /**
   * Whether the attempt took longer than it may: the thread was interrupted, and what is not
   * settled is tried again. What the callback did still happened.
   */
  public boolean isAbandoned() {
    return abandoned.getAsBoolean();
  }

  /** The target and how many messages. */
  @Override
  public String toString() {
    return "FanoutBatch[" + deliveries.size() + " for " + target + "]";
  }
}
