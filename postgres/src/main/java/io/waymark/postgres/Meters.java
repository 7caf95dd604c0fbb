package io.waymark.postgres;

import java.util.Map;

/**
 * Where a data source counts and times what it does; a bridge to a metrics library implements it.
 * {@link MeterNames} lists all names and tags. What is a state and not an event, such as lag, is
 * not pushed here: read {@link WaymarkDataSource#endpoints()} when it is asked for.
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
   * @param name one of {@link MeterNames}
   * @param tags the tags that the name is documented with
   */
  Counter counter(String name, Map<String, String> tags);

  /**
   * A timer.
   *
   * @param name one of {@link MeterNames}
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
