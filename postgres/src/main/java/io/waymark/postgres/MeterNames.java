package io.waymark.postgres;

import io.waymark.core.Meters;

/**
 * The names of all meters and their tags. A name that is published keeps its meaning and its tags.
 *
 * <table>
 * <caption>Pushed to {@link Meters}</caption>
 * <tr><th>name</th><th>kind</th><th>tags</th></tr>
 * <tr><td>{@value #ROUTED}</td><td>counter</td><td>operation, endpoint, reason</td></tr>
 * <tr><td>{@value #EVIDENCE}</td><td>counter</td><td>endpoint</td></tr>
 * <tr><td>{@value #RETRIES}</td><td>counter</td><td>endpoint</td></tr>
 * <tr><td>{@value #ACQUIRE}</td><td>timer</td><td>endpoint, outcome</td></tr>
 * <tr><td>{@value #STATEMENT}</td><td>timer</td><td>operation, endpoint, outcome</td></tr>
 * <tr><td>{@value #COMMIT}</td><td>timer</td><td>endpoint, outcome</td></tr>
 * </table>
 *
 * <p>The gauges are for a bridge that reads {@link WaymarkDataSource#endpoints()}; each has the tag
 * endpoint. Where the value is unknown the gauge has none: it is not zero.
 */
public final class MeterNames {
  /**
   * Choices of an endpoint, as {@link WaymarkDataSourceBuilder#onRoute} tells them: one for each
   * call that decides, again for a retry, none for the later statements of a transaction. Tags:
   * {@link #OPERATION}, {@link #ENDPOINT}, {@link #REASON}.
   */
  public static final String ROUTED = "waymark.routed";

  /**
   * Calls that asked an endpoint for evidence and waited for it; several may share one question on
   * the wire. Inspections ask too. Tag: {@link #ENDPOINT}.
   */
  public static final String EVIDENCE = "waymark.evidence";

  /**
   * Calls that were tried again, on another endpoint. Tag: {@link #ENDPOINT}, the one that failed.
   */
  public static final String RETRIES = "waymark.retries";

  /**
   * Time to get a connection from an endpoint's pool, its queue included. Tags: {@link #ENDPOINT};
   * {@link #OUTCOME} {@code ok}, {@code timeout} (WM1846) or {@code failed}.
   */
  public static final String ACQUIRE = "waymark.acquire";

  /**
   * Time of one execution on a server, until its first rows are there. Tags: {@link #OPERATION},
   * {@link #ENDPOINT}; {@link #OUTCOME} {@code ok} or {@code failed}.
   */
  public static final String STATEMENT = "waymark.statement";

  /**
   * Time of one commit of a transaction by {@code commit()} or {@code setAutoCommit(true)},
   * read-only ones included. Tags: {@link #ENDPOINT}; {@link #OUTCOME} {@code committed}, {@code
   * failed} or {@code unknown} (WM1847).
   */
  public static final String COMMIT = "waymark.commit";

  /** Gauge: 1 while the endpoint's circuit is open, else 0; {@link EndpointStatus#circuit}. */
  public static final String CIRCUIT_OPEN = "waymark.endpoint.circuit.open";

  /**
   * Gauge: 1 while a replica may serve, else 0; {@link EndpointStatus#ineligible}. Not for the
   * primary.
   */
  public static final String ELIGIBLE = "waymark.endpoint.eligible";

  /** Gauge in bytes; {@link EndpointStatus#lagBytes}. */
  public static final String LAG_BYTES = "waymark.endpoint.lag.bytes";

  /** Gauge in seconds; {@link EndpointStatus#lagTime}. */
  public static final String LAG_SECONDS = "waymark.endpoint.lag.seconds";

  /** Gauge: statements in flight; {@link EndpointStatus#inFlight}. */
  public static final String IN_FLIGHT = "waymark.endpoint.in.flight";

  /** Gauge: connections in use; {@link EndpointStatus#connections}. */
  public static final String CONNECTIONS = "waymark.endpoint.connections";

  /** Gauge: the most connections; {@link EndpointStatus#max}. */
  public static final String CONNECTIONS_MAX = "waymark.endpoint.connections.max";

  /** Tag: the endpoint's name. */
  public static final String ENDPOINT = "endpoint";

  /** Tag: {@code read}, {@code write}, {@code tx} or {@code lock}. */
  public static final String OPERATION = "operation";

  /** Tag: the reason as events show it, such as {@code auto:east} or {@code fallback:behind}. */
  public static final String REASON = "reason";

  /** Tag: what came of it; the words are listed with each name. */
  public static final String OUTCOME = "outcome";

  private MeterNames() {}
}
