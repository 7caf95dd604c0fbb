package io.waymark.postgres;

import io.waymark.core.Reason;

/** Why the data source sent a call where it did. */
public enum PostgresReason implements Reason {
  /** A replica that may serve the read was selected. */
  AUTO("auto:"),
  /** The caller forced the primary, or an operator sends all reads there. */
  CONSTRAINT_PRIMARY("constraint:primary"),
  /** The caller forced a replica. */
  CONSTRAINT_REPLICA("constraint:replica"),
  /** Only the primary can do this. */
  PRIMARY_REQUIRED("primary-required"),
  /** No replicas are configured. */
  FALLBACK_NO_REPLICAS("fallback:no-replicas"),
  /**
   * No replica is fit to serve: each is drained, out of reach, or not a standby of this primary.
   */
  FALLBACK_UNHEALTHY("fallback:unhealthy"),
  /** The session wrote, and where that write stands could not be read. */
  FALLBACK_POSITION_UNKNOWN("fallback:position-unknown"),
  /** Every replica that may serve has a full pool and callers waiting. */
  FALLBACK_SATURATED("fallback:saturated"),
  /** No replica has reached the session's watermark and keeps within {@code maxLag}. */
  FALLBACK_BEHIND("fallback:behind"),
  /** There is one endpoint and it serves everything. */
  SINGLE_ENDPOINT("single-endpoint"),
  /** The endpoint that should be the primary is a standby, or another server claims to be it. */
  NO_PRIMARY("no-primary");

  private static final String FALLBACK = "fallback:";
  private final String text;

  PostgresReason(String text) {
    this.text = text;
  }

  @Override
  public String text(String endpoint) {
    return this == AUTO ? text.concat(endpoint) : text;
  }

  /** The word that errors show: {@code behind} for {@code fallback:behind}. */
  String word() {
    return text.startsWith(FALLBACK) ? text.substring(FALLBACK.length()) : text;
  }

  /** Whether the primary serves because no replica may. */
  boolean isFallback() {
    return text.startsWith(FALLBACK);
  }
}
