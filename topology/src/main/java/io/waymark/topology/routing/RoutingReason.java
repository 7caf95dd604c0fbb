package io.waymark.topology.routing;

import io.waymark.core.Reason;

/** Why a push went to its shard. */
public enum RoutingReason implements Reason {
  /** Chosen among two by the policy. */
  AUTO("auto:"),
  /** The push is the trial of a shard that was left out: whether it may return. */
  TRIAL("trial:"),
  /** The application's rule said so. */
  SHARDING("sharding:"),
  /** The key of the push belongs there. */
  KEY("key:");

  private final String text;

  RoutingReason(String text) {
    this.text = text;
  }

  @Override
  public String text(String endpoint) {
    return text.concat(endpoint);
  }
}
