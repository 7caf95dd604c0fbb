package io.waymark.postgres;

import io.waymark.core.Role;
import java.util.Optional;

/**
 * Something that a data source believes of an endpoint has changed, or an operator has changed it.
 * For people, logs and alerts: what calls do is told by {@link RouteEvent}s.
 *
 * <p>Events come in the order of the changes, one at a time, with no lock held, on whichever thread
 * noticed the change: a monitor's, a caller's or the operator's. They hold names, words of
 * Waymark's own and numbers; no URL, no credentials, and no message of a driver or server.
 */
public sealed interface EndpointEvent {
  /** The name of the endpoint that it is about. */
  String endpoint();

  /**
   * Two failures in a row: no call is sent there until a probe succeeds. The primary has no
   * substitute, so calls still go there.
   *
   * @param endpoint the endpoint
   * @param because the kind of the last failure: the name of its class and its SQLSTATE
   */
  record CircuitOpened(String endpoint, String because) implements EndpointEvent {}

  /**
   * A probe succeeded while the circuit was open. A replica takes its share back gradually.
   *
   * @param endpoint the endpoint
   */
  record CircuitClosed(String endpoint) implements EndpointEvent {}

  /**
   * A server was seen in another role than before; the first sighting is compared with the
   * configured role.
   *
   * @param endpoint the endpoint, which keeps its configured role and name
   * @param before the role until now
   * @param after the role now
   */
  record RoleChanged(String endpoint, Role before, Role after) implements EndpointEvent {}

  /**
   * A server writes or replays another timeline than before.
   *
   * @param endpoint the endpoint
   * @param before the timeline until now
   * @param after the timeline now
   */
  record TimelineChanged(String endpoint, int before, int after) implements EndpointEvent {}

  /**
   * New connections to an endpoint reach several servers in turn, as through a balancer, a reader
   * endpoint or a name with several addresses; or they have reached one for a while. As long as
   * there are several, no read goes to such a replica that needs a position or a lag.
   *
   * @param endpoint the endpoint
   * @param several whether it is so now
   */
  record SeveralServersChanged(String endpoint, boolean several) implements EndpointEvent {}

  /**
   * Whether a replica may serve reads, or there is a primary to serve writes, has changed, or why
   * not. What a single read asks for besides, such as a position, is not part of it.
   *
   * @param endpoint the endpoint
   * @param before why it might not until now; empty where it might
   * @param after why it may not now; empty where it may
   */
  record EligibilityChanged(String endpoint, Optional<String> before, Optional<String> after)
      implements EndpointEvent {}

  /**
   * A write that a session had committed, or may have, is not part of the history any more, as
   * after a failover to a standby that had not received it. Its reads do not wait for it any
   * longer. Noticed by the session's next read; told once for each position.
   *
   * @param endpoint the endpoint that is the primary now
   * @param timeline the timeline of the write
   * @param position up to where that session had written, in PostgreSQL's text form
   */
  record HistoryLost(String endpoint, int timeline, String position) implements EndpointEvent {}

  /**
   * An operator keeps new reads away; see {@link Admin#drain}.
   *
   * @param endpoint the replica
   */
  record Drained(String endpoint) implements EndpointEvent {}

  /**
   * An operator lets reads go there again; see {@link Admin#resume}.
   *
   * @param endpoint the replica
   */
  record Resumed(String endpoint) implements EndpointEvent {}

  /**
   * An operator changed a replica's share; see {@link Admin#weight}.
   *
   * @param endpoint the replica
   * @param before its weight until now
   * @param after its weight now
   */
  record WeightChanged(String endpoint, double before, double after) implements EndpointEvent {}

  /**
   * An operator sends all reads that force no role to the primary, or does not any more; see {@link
   * Admin#primaryOnly}.
   *
   * @param endpoint the primary
   * @param only whether it is so now
   */
  record PrimaryOnlyChanged(String endpoint, boolean only) implements EndpointEvent {}
}
