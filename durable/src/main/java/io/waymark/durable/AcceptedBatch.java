package io.waymark.durable;

import java.util.List;

/**
 * A batch that was accepted in a transaction which is still to be committed by its owner.
 * Immutable.
 *
 * <p>Call {@link #wake()} after the commit, and delivery begins at once; without it, polling finds
 * the messages within seconds.
 */
public final class AcceptedBatch {
  private final List<String> ids;
  private final Runnable waker;

  AcceptedBatch(List<String> ids, Runnable waker) {
    this.ids = List.copyOf(ids);
    this.waker = waker;
  }

  /** The ids of all messages, in the order in which they were given. */
  public List<String> ids() {
    return ids;
  }

  /**
   * Begins delivery without waiting for it. Call it after the commit; before it, or after a
   * rollback, it does no harm and no good. Never throws.
   */
  public void wake() {
    waker.run();
  }
}
