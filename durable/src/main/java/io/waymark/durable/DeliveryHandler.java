package io.waymark.durable;

/**
 * Brings the values of a channel to where they belong. Called for different keys from several
 * threads at once, for one key by one attempt at a time, unless an attempt before it was abandoned
 * and still runs.
 *
 * <p>The same value may be delivered more than once: after a crash, after an attempt that took too
 * long, after an answer that got lost. So a handler, or what it talks to, must bear that.
 *
 * @param <T> the type of the values
 */
@FunctionalInterface
public interface DeliveryHandler<T> {
  /**
   * Delivers one value. No lock and no transaction is held meanwhile. When the attempt takes too
   * long, the thread is interrupted.
   *
   * @return that it arrived, or when to deliver again
   * @throws Exception if it failed; it is tried again after a while, as often as it takes
   */
  Receipt deliver(Delivery<T> delivery) throws Exception;
}
