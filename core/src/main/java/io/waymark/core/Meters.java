package io.waymark.core;

import java.util.Map;

/**
 * Where a product counts and times what it does; a bridge to a metrics library implements it, once
 * for all products. Each product lists the names and tags of its meters. What is a state and not an
 * event, such as lag or how much is pending, is not pushed here: it is read from the product when
 * it is asked for.
 *
 * <p>A meter is asked for when it is first needed and kept: asked again for the same name and tags,
 * which may happen, an implementation gives the same meter or one that counts in with it. All
 * methods are called on callers' threads, from several at once, and must neither block nor be slow.
 * What they throw is logged and ignored.
 */
public interface Meters {
  /** Measures nothing; the default. */
  Meters NONE = new NoMeters();

  /**
   * A counter.
   *
   * @param name one of the names that the product lists
   * @param tags the tags that the name is documented with
   */
  Counter counter(String name, Map<String, String> tags);

  /**
   * A timer.
   *
   * @param name one of the names that the product lists
   * @param tags the tags that the name is documented with
   */
  Timer timer(String name, Map<String, String> tags);

  /** Counts events. */
  @FunctionalInterface
  interface Counter {
    /** Counts one more. */
    void increment();
  }

  /** Times events. */
  @FunctionalInterface
  interface Timer {
    /**
     * Takes one event.
     *
     * @param nanos how long it took, in nanoseconds; not negative
     */
    void record(long nanos);
  }
}
