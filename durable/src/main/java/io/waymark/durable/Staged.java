package io.waymark.durable;

import java.util.Set;
import java.util.function.Consumer;

/**
 * What was staged in a transaction that is still to be committed by its owner. Immutable.
 *
 * <p>Call {@link #wake()} after the commit, and delivery begins at once; without it, polling finds
 * the rows within seconds.
 */
public class Staged {
  private final Set<String> channels;
  private final Consumer<Iterable<String>> waker;

  Staged(Set<String> channels, Consumer<Iterable<String>> waker) {
    this.channels = Set.copyOf(channels);
    this.waker = waker;
  }

  /**
   * Begins delivery without waiting for it. Call it after the commit; before it, or after a
   * rollback, it does no harm and no good. Never throws.
   */
  public final void wake() {
    waker.accept(channels);
  }
}
