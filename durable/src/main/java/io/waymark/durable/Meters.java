package io.waymark.durable;

import java.util.Map;

/**
 * Where an outbox times what it does; a bridge to a metrics library implements it. What is a state
 * and not an event, such as how much is pending, is not pushed here: read {@link Outbox#backlog()}
 * when it is asked for.
 *
 * <p>A timer is asked for when it is first needed and kept. Methods are called from several threads
 * at once, and must neither block nor be slow. What they throw is logged and ignored.
 */
@FunctionalInterface
public interface Meters {
  /** One attempt. Tags: {@code channel}, and {@code outcome}, the text of the event's kind. */
  String ATTEMPT = "waymark.outbox.attempt";

  /** From staging to arrival of a value, as the database's clock has it. Tag: {@code channel}. */
  String DELIVERY = "waymark.outbox.delivery";

  /** Measures nothing; the default. */
  Meters NONE = (name, tags) -> nanos -> {};

  /**
   * A timer.
   *
   * @param name one of the names above
   * @param tags those that the name is documented with
   */
  Timer timer(String name, Map<String, String> tags);

  /** Times events; also their number is told by it. */
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
