package io.waymark.postgres;

import io.waymark.core.Member;
import io.waymark.core.Vitals;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint as one view sees it: who it is, what was seen of it last, and what an operator wants
 * of it. Immutable.
 *
 * @param endpoint the endpoint behind it
 * @param sighting what the last successful probe saw; null before the first
 * @param openBecause why its circuit is open, in our own words; null while it is closed
 * @param drained whether an operator keeps new reads away
 * @param weight its share of reads relative to the other replicas; as configured, until an operator
 *     changes it
 * @param severalServers whether its URL leads to several servers, so that what is seen of one says
 *     nothing of the next
 */
record Node(
    Endpoint endpoint,
    @Nullable Sighting sighting,
    @Nullable String openBecause,
    boolean drained,
    double weight,
    boolean severalServers)
    implements Member {

  /** Nothing has been seen or asked of it yet. */
  static Node of(Endpoint endpoint) {
    return new Node(endpoint, null, null, false, endpoint.config().weight(), false);
  }

  /** The same, and this was seen of it. */
  Node seen(Sighting now) {
    return new Node(
        endpoint,
        now,
        vitals().circuit().isOpen() ? openBecause : null,
        drained,
        weight,
        severalServers);
  }

  /** The same, and its circuit is open. */
  Node opened(String because) {
    return new Node(endpoint, sighting, because, drained, weight, severalServers);
  }

  /** The same, drained or not. */
  Node drained(boolean now) {
    return new Node(endpoint, sighting, openBecause, now, weight, severalServers);
  }

  /** The same with another weight. */
  Node weighing(double now) {
    return new Node(endpoint, sighting, openBecause, drained, now, severalServers);
  }

  /** The same, and its URL leads to several servers, or to one. */
  Node severalServers(boolean now) {
    return new Node(endpoint, sighting, openBecause, drained, weight, now);
  }

  @Override
  public String name() {
    return endpoint.name();
  }

  @Override
  public int ordinal() {
    return endpoint.ordinal();
  }

  @Override
  public Vitals vitals() {
    return endpoint.vitals();
  }

  @Override
  public String toString() {
    return endpoint.name();
  }
}
