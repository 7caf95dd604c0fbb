package io.waymark.core;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reference that holds what is believed now: an immutable view, swapped whole, then announced
 * with before and after.
 *
 * <p>Reading is one volatile read. Announcements come in the order of the swaps, one at a time,
 * with no lock held; a listener that throws is logged and ignored.
 *
 * <p>Thread safe.
 *
 * @param <V> the view's type; immutable
 */
public final class LiveView<V> {
  private static final Logger LOG = LoggerFactory.getLogger(LiveView.class);

  private record Change<V>(V before, V after) {}

  /** Orders the swaps; held only while the next view is computed from the last. */
  private final ReentrantLock swapping = new ReentrantLock();

  private final Queue<Change<V>> unannounced = new ArrayDeque<>();
  private final CopyOnWriteArrayList<BiConsumer<? super V, ? super V>> listeners =
      new CopyOnWriteArrayList<>();
  private boolean announcing;
  private volatile V current;

  /** Starts with this view; it is not announced. */
  public LiveView(V first) {
    this.current = first;
  }

  /** The view now. */
  public V current() {
    return current;
  }

  /**
   * Calls the listener with before and after at every swap to come, and at those that are still
   * being announced. It runs on whichever thread swaps: keep it short.
   */
  public void onChange(BiConsumer<? super V, ? super V> listener) {
    listeners.add(listener);
  }

  /**
   * Replaces the view and announces the change, unless it returns the very same view. A thread that
   * swaps while another announces leaves its announcement to that one.
   *
   * @param change computes the next view from the last: quick, no input or output, no locks, no
   *     swap of its own
   * @return the view after the swap
   */
  public V swap(UnaryOperator<V> change) {
    V after;
    swapping.lock();
    try {
      V before = current;
      after = change.apply(before);
      if (after == before) {
        return after;
      }
      current = after;
      unannounced.add(new Change<>(before, after));
      if (announcing) {
        return after; // whoever announces takes this one too
      }
      announcing = true;
    } finally {
      swapping.unlock();
    }
    announce();
    return after;
  }

  private void announce() {
    for (Change<V> change = next(); change != null; change = next()) {
      for (BiConsumer<? super V, ? super V> listener : listeners) {
        try {
          listener.accept(change.before(), change.after());
        } catch (Throwable e) { // also errors: who announces must not stop with changes left
          LOG.warn("a view listener threw; it is ignored", e);
        }
      }
    }
  }

  private @Nullable Change<V> next() {
    swapping.lock();
    try {
      Change<V> change = unannounced.poll();
      announcing = change != null;
      return change;
    } finally {
      swapping.unlock();
    }
  }
}
