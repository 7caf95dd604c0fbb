package io.waymark.postgres;

import io.waymark.core.Candidates;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is believed about one primary and its replicas. Immutable.
 *
 * <p>The rules of the view (drained, circuit, identity, role, history) are applied here, when the
 * view is made, so that a read only looks at the replicas in {@link #eligible()}.
 */
final class ReplicaSetView {
  private final List<Node> nodes;
  private final List<Node> replicas;
  private final @Nullable String zone;
  private final Candidates<Node> eligible;
  private final Candidates<Node> near;
  private final Floor noDemand = new Floor(this, null, true);
  private final @Nullable History history;
  private final @Nullable String withoutPrimary;
  private final boolean primaryOnly;
  private final @Nullable Token lost;
  private final @Nullable Recovery recovery;

  private ReplicaSetView(
      @Nullable String zone,
      List<Node> nodes,
      boolean primaryOnly,
      @Nullable Token lost,
      @Nullable Recovery recovery) {
    this.zone = zone;
    this.nodes = List.copyOf(nodes);
    this.replicas = this.nodes.subList(1, nodes.size());
    this.primaryOnly = primaryOnly;
    this.lost = lost;
    this.recovery = recovery;
    Sighting primary = primary().sighting();
    this.history = primary == null ? null : primary.history();
    List<Node> may = new ArrayList<>(nodes.size());
    for (Node node : replicas) {
      if (ineligible(node) == null) {
        may.add(node);
      }
    }
    this.eligible = Candidates.all(List.copyOf(may));
    List<Node> preferred = may.stream().filter(this::isPreferred).toList();
    this.near = Candidates.all(preferred.size() == may.size() ? List.of() : preferred);
    this.withoutPrimary = findWithoutPrimary();
  }

  /** Nothing has been seen yet, and all replicas are equally near. */
  static ReplicaSetView of(List<Endpoint> endpoints) {
    return of(endpoints, null);
  }

  /**
   * Nothing has been seen yet.
   *
   * @param zone where the caller runs; null where all replicas are equally near
   */
  static ReplicaSetView of(List<Endpoint> endpoints, @Nullable String zone) {
    return new ReplicaSetView(zone, endpoints.stream().map(Node::of).toList(), false, null, null);
  }

  /** The same, and this was seen of this endpoint. */
  ReplicaSetView with(Endpoint endpoint, Sighting sighting) {
    Recovery after =
        endpoint.isPrimary() ? Recovery.after(recovery, primary().sighting(), sighting) : recovery;
    return changed(endpoint, node -> node.seen(sighting), after);
  }

  /**
   * The same, and this endpoint's circuit has opened; or the same view, if it has closed again
   * meanwhile.
   */
  ReplicaSetView opened(Endpoint endpoint, String because) {
    return endpoint.vitals().circuit().isOpen()
        ? changed(endpoint, node -> node.opened(because))
        : this;
  }

  /** The same, and this endpoint's URL leads to several servers, or to one. */
  ReplicaSetView severalServers(Endpoint endpoint, boolean several) {
    return changed(endpoint, node -> node.severalServers(several));
  }

  /** The same, and new reads are kept away from this replica, or are not. */
  ReplicaSetView drained(Endpoint replica, boolean drained) {
    return changed(replica, node -> node.drained(drained));
  }

  /** The same, and this replica has this weight. */
  ReplicaSetView weighing(Endpoint replica, double weight) {
    return changed(replica, node -> node.weighing(weight));
  }

  /** The same, and reads that force no role all go to the primary, or do not. */
  ReplicaSetView primaryOnly(boolean only) {
    return only == primaryOnly ? this : new ReplicaSetView(zone, nodes, only, lost, recovery);
  }

  /** The same, and this is the last write that a session knew of and that is not there any more. */
  ReplicaSetView losing(Token token) {
    return token.equals(lost)
        ? this
        : new ReplicaSetView(zone, nodes, primaryOnly, token, recovery);
  }

  private ReplicaSetView changed(Endpoint endpoint, UnaryOperator<Node> change) {
    return changed(endpoint, change, recovery);
  }

  private ReplicaSetView changed(
      Endpoint endpoint, UnaryOperator<Node> change, @Nullable Recovery after) {
    Node before = nodes.get(endpoint.ordinal());
    Node now = change.apply(before);
    if (now.equals(before)) {
      return this;
    }
    List<Node> others = new ArrayList<>(nodes);
    others.set(endpoint.ordinal(), now);
    return new ReplicaSetView(zone, others, primaryOnly, lost, after);
  }

  /** All endpoints, the primary first, then the replicas in the order of configuration. */
  List<Node> nodes() {
    return nodes;
  }

  /** The endpoint that is configured as the primary. */
  Node primary() {
    return nodes.get(0);
  }

  /** The replicas in the order of configuration. */
  List<Node> replicas() {
    return replicas;
  }

  /** The replicas that the rules of the view admit, in the order of configuration. */
  Candidates<Node> eligible() {
    return eligible;
  }

  /**
   * Those of them that are looked at first, because they are in the caller's zone; empty where that
   * makes no difference. One in slow start is not looked at first: alone in its zone it would get
   * everything at once.
   */
  Candidates<Node> near() {
    return near;
  }

  /** Whether this replica is in the caller's zone. */
  boolean isNear(Node replica) {
    return zone != null && zone.equals(replica.endpoint().config().zone());
  }

  private boolean isPreferred(Node replica) {
    return isNear(replica) && replica.vitals().circuit().share() == 1;
  }

  /** What a read must see that follows no write. */
  Floor noDemand() {
    return noDemand;
  }

  /**
   * Why there is no primary, as far as is seen; null where there is one. The configured primary is
   * none while it is a standby, or while another server of the cluster writes the same timeline or
   * a newer one: nobody can say then whose writes will last.
   */
  @Nullable String withoutPrimary() {
    return withoutPrimary;
  }

  private @Nullable String findWithoutPrimary() {
    Sighting primary = primary().sighting();
    if (primary == null) {
      return null;
    }
    if (primary.inRecovery()) {
      return "endpoint primary is a standby now";
    }
    for (Node node : replicas()) {
      Sighting seen = node.sighting();
      if (seen != null && seen.timeline() >= primary.timeline()) {
        String claim = claim(node);
        if (claim != null) {
          return claim;
        }
      }
    }
    return null;
  }

  /**
   * What a configured replica that is a primary of the same cluster claims, for people; null where
   * it is none. The newer timeline wins. Where that is the configured primary's, it loses nothing.
   */
  @Nullable String claim(Node replica) {
    History own = history;
    Sighting seen = replica.sighting();
    History other = seen == null ? null : seen.history();
    if (own == null
        || other == null
        || other.server().systemId() != own.server().systemId()
        || other.server().sameServer(own.server())) {
      return null;
    }
    return "endpoint "
        + replica.name()
        + " is a primary too, on timeline "
        + other.timeline()
        + " against "
        + own.timeline();
  }

  /** Whether an operator sends all reads that force no role to the primary. */
  boolean primaryOnly() {
    return primaryOnly;
  }

  /** The last write that a session knew of and that is not there any more; null for none. */
  @Nullable Token lost() {
    return lost;
  }

  /** Why the rules of the view keep this replica out; null where they admit it. */
  @Nullable String ineligible(Node replica) {
    return replica.drained() ? "drained" : unfit(replica);
  }

  /** Why this replica could not serve even if nobody kept reads away; null where it could. */
  @Nullable String unfit(Node replica) {
    Sighting seen = replica.sighting();
    if (replica.openBecause() != null) {
      return "circuit open";
    }
    if (seen == null) {
      return "not reached yet";
    }
    if (!seen.inRecovery()) {
      return "not a standby";
    }
    Sighting primary = primary().sighting();
    if (primary == null || primary.server() == null || seen.server() == null) {
      return null;
    }
    if (seen.server().systemId() != primary.server().systemId()) {
      return "another cluster";
    }
    return seen.timeline() != 0
            && primary.timeline() > seen.timeline()
            && !precedesFork(seen, primary)
        ? "another history"
        : null;
  }

  /** A replica of an older timeline may serve while it has not passed where the new one began. */
  private static boolean precedesFork(Sighting replica, Sighting primary) {
    return primary.timeline() == replica.timeline() + 1
        && primary.fork() != Lsn.NONE
        && Lsn.reached(primary.fork(), replica.replay());
  }

  /**
   * Whether what this server has seen covers the token.
   *
   * <p>It does if it replays the token's history, or one that grew out of it behind the token's
   * position, and has reached the position, or has committed the token's transaction.
   */
  boolean covers(Sighting seen, Token token) {
    ServerInstance server = seen.server();
    if (server == null
        || server.systemId() != token.history().server().systemId()
        || !holds(seen.timeline(), token)) {
      return false;
    }
    return (seen.replay() != Lsn.NONE && Lsn.reached(seen.replay(), token.lsn()))
        || (token.xid() != Token.NO_XID && seen.committed().contains(token.xid()));
  }

  /** Whether this timeline contains the token's position of the token's history. */
  private boolean holds(int timeline, Token token) {
    History now = history;
    int then = token.history().timeline();
    if (now == null || timeline == 0) {
      return false;
    }
    if (timeline == then) {
      // The same number by another server is another history, unless a later one took over.
      return now.timeline() > then || now.same(token.history());
    }
    return timeline == then + 1 && timeline == now.timeline() && beforeFork(token);
  }

  private boolean beforeFork(Token token) {
    Sighting primary = primary().sighting();
    return primary != null
        && primary.fork() != Lsn.NONE
        && Lsn.reached(primary.fork(), token.lsn());
  }

  /**
   * Whether the write that the token stands for is not part of the history any more, so that no
   * server will ever cover it: another server became the primary without a newer timeline, or the
   * newer timeline began before the write.
   */
  boolean hasLost(Token token) {
    History now = history;
    if (now == null || now.same(token.history()) || primary().severalServers()) {
      return false;
    }
    boolean child =
        now.server().systemId() == token.history().server().systemId()
            && now.timeline() > token.history().timeline();
    Sighting primary = primary().sighting();
    boolean forkKnown = primary != null && primary.fork() != Lsn.NONE;
    return !child
        || (forkKnown && now.timeline() == token.history().timeline() + 1 && !beforeFork(token));
  }

  /** The part of the token that survived the primary's last crash. */
  Token surviving(Token token) {
    return recovery == null ? token : recovery.surviving(token);
  }

  /**
   * Whether this read waits for the primary's insert position as it was seen last, and the log up
   * to there was not flushed then.
   */
  boolean isUnflushed(Floor floor) {
    Sighting primary = primary().sighting();
    Token token = floor.token();
    return primary != null
        && token != null
        && floor.resolved()
        && primary.flush() != Lsn.NONE
        && token.lsn() == primary.position()
        && !Lsn.reached(primary.flush(), token.lsn());
  }

  /**
   * Whether this read must see a write of the timeline before the primary's, and nobody knows where
   * that one ended.
   */
  boolean lacksFork(Floor floor) {
    Token token = floor.token();
    if (token == null) {
      return false;
    }
    Sighting primary = primary().sighting();
    return primary != null
        && primary.fork() == Lsn.NONE
        && primary.timeline() == token.history().timeline() + 1
        && history != null;
  }

  /**
   * The primary's position, if it was read recently enough to judge lag by.
   *
   * @param oldest the reading's latest allowed age in nanoseconds
   * @param nowNanos the ticker now
   * @return {@link Lsn#NONE} where unknown or older, and where several servers claim it
   */
  long primaryPosition(long oldest, long nowNanos) {
    Sighting primary = primary().sighting();
    return primary == null
            || primary().severalServers()
            || nowNanos - primary.startedNanos() > oldest
        ? Lsn.NONE
        : primary.position();
  }
}
