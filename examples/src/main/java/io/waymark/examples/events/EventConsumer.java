package io.waymark.examples.events;

/** Somebody who wants every event. */
@FunctionalInterface
public interface EventConsumer {
  /**
   * Takes an event. It may come more than once, and events of one key may change places when one of
   * them is tried again: a consumer that cares keeps the highest number that it has seen.
   *
   * @param partition from which it comes
   * @param id of the event, the same each time
   * @throws Exception if it is to be tried again
   */
  void take(String partition, String id, Event event) throws Exception;
}
