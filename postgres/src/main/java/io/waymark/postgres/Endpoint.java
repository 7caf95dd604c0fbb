package io.waymark.postgres;

import io.waymark.core.Circuit;
import io.waymark.core.Vitals;

/**
 * One configured endpoint: its vitals, its pool and its monitor, for as long as the data source
 * lives. What is believed about it is in the view's {@link Node}.
 */
final class Endpoint {
  private final EndpointConfig config;
  private final Vitals vitals;
  private final EndpointPool pool;
  private final EndpointMonitor monitor;
  private final String automatic;

  Endpoint(EndpointConfig config, Circuit circuit, Parts parts) {
    this.config = config;
    this.vitals = new Vitals(circuit);
    this.pool = parts.pool(this);
    this.monitor = parts.monitor(this);
    this.automatic = PostgresReason.AUTO.text(config.name());
  }

  /** Makes what belongs to an endpoint; opens nothing. */
  interface Parts {
    EndpointPool pool(Endpoint endpoint);

    EndpointMonitor monitor(Endpoint endpoint);
  }

  EndpointConfig config() {
    return config;
  }

  String name() {
    return config.name();
  }

  /** The text form of the reason for a call that goes here. */
  String text(PostgresReason reason) {
    return reason == PostgresReason.AUTO ? automatic : reason.text(config.name());
  }

  int ordinal() {
    return config.ordinal();
  }

  boolean isPrimary() {
    return config.ordinal() == 0;
  }

  Vitals vitals() {
    return vitals;
  }

  EndpointPool pool() {
    return pool;
  }

  EndpointMonitor monitor() {
    return monitor;
  }

  @Override
  public String toString() {
    return config.name();
  }
}
