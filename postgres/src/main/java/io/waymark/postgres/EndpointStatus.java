package io.waymark.postgres;

import io.waymark.core.Role;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is believed about one endpoint at one moment, for people and dashboards.
 *
 * @param name its name
 * @param configured the role that it is configured for
 * @param zone the zone that it is configured for; empty for the primary and where none was given
 * @param seen the role that it was last seen in; empty before the first sighting
 * @param version the server's version as a number, such as 180006; 0 before the first sighting
 * @param timeline its timeline; 0 where unknown
 * @param circuit {@code closed}, {@code warming} or {@code open after N failures}
 * @param ineligible why no read may go to this replica; empty for the primary and for a replica
 *     that may serve
 * @param severalServers whether its URL leads to several servers, as a balancer's does: then no
 *     read goes there that needs a position or a lag
 * @param position a primary's insert position or a standby's replay position in PostgreSQL's text
 *     form; empty where unknown
 * @param lagBytes log written on the primary and not replayed here; empty where unknown, as while
 *     its circuit is open
 * @param lagTime age of the last replayed transaction, zero when caught up; empty where unknown
 * @param inFlight statements that this data source has in flight there
 * @param latency the average round trip; empty before the first sample
 * @param connections connections of the endpoint that are in use
 * @param max the most connections that its pool may have
 */
public record EndpointStatus(
    String name,
    Role configured,
    Optional<String> zone,
    Optional<Role> seen,
    int version,
    int timeline,
    String circuit,
    Optional<String> ineligible,
    boolean severalServers,
    Optional<String> position,
    OptionalLong lagBytes,
    Optional<Duration> lagTime,
    int inFlight,
    Optional<Duration> latency,
    int connections,
    int max) {

  static EndpointStatus of(Node node, ReplicaSetView view, ReplicaRules rules) {
    Endpoint endpoint = node.endpoint();
    Sighting seen = node.sighting();
    boolean standby = seen != null && seen.inRecovery();
    long position = seen == null ? Lsn.NONE : standby ? seen.replay() : seen.position();
    boolean hasLag = !endpoint.isPrimary() && !endpoint.vitals().circuit().isOpen();
    long lag = hasLag ? rules.lagBytes(node, view) : -1;
    OptionalLong latency = endpoint.vitals().latency();
    return new EndpointStatus(
        endpoint.name(),
        endpoint.isPrimary() ? Role.PRIMARY : Role.REPLICA,
        Optional.ofNullable(endpoint.config().zone()),
        seen == null ? Optional.empty() : Optional.of(standby ? Role.REPLICA : Role.PRIMARY),
        seen == null ? 0 : seen.version(),
        seen == null ? 0 : seen.timeline(),
        endpoint.vitals().circuit().toString(),
        endpoint.isPrimary() ? Optional.empty() : Optional.ofNullable(view.ineligible(node)),
        node.severalServers(),
        position == Lsn.NONE ? Optional.empty() : Optional.of(Lsn.format(position)),
        lag < 0 ? OptionalLong.empty() : OptionalLong.of(lag),
        hasLag ? Optional.ofNullable(rules.lagTime(node, view)) : Optional.empty(),
        endpoint.vitals().inFlight(),
        latency.isPresent() ? Optional.of(Duration.ofNanos(latency.getAsLong())) : Optional.empty(),
        endpoint.pool().inUse(),
        endpoint.config().max());
  }
}
