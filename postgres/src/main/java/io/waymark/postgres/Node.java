package io.waymark.postgres;

import io.waymark.core.Member;
import io.waymark.core.Vitals;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint as one view sees it: who it is, and what was seen of it last. Immutable.
 *
 * @param endpoint the endpoint behind it
 * @param sighting what the last successful probe saw; null before the first
 */
record Node(Endpoint endpoint, @Nullable Sighting sighting) implements Member {
  @Override
  public String name() {
    return endpoint.name();
  }

  @Override
  public int ordinal() {
    return endpoint.ordinal();
  }

  @Override
  public double weight() {
    return endpoint.config().weight();
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
