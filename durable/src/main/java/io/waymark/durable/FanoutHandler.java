package io.waymark.durable;

/**
 * Brings batches of messages to a target, and settles each message. Called from several threads at
 * once, never for the same message at once, unless an attempt before it was abandoned and still
 * runs.
 *
 * <p>The same message may be delivered more than once: after a crash, after an attempt that took
 * too long, after a settlement that was lost. So a handler, or what it talks to, must bear that;
 * {@link FanoutDelivery#id} is the same each time.
 *
 * @param <T> the type of the bodies
 */
@FunctionalInterface
public interface FanoutHandler<T> {
  /**
   * Delivers a batch. No lock and no transaction is held meanwhile. When the attempt takes too
   * long, the thread is interrupted. What is not settled when it returns is tried again, or
   * acknowledged where the target's options say so.
   *
   * @throws Exception if it failed; what is not settled is tried again after a while
   */
  void deliver(FanoutBatch<T> batch) throws Exception;
}
