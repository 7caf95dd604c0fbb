package io.waymark.postgres;

import io.waymark.core.Attempts;
import io.waymark.core.Candidates;
import io.waymark.core.Decider;
import io.waymark.core.Decision;
import io.waymark.core.Operation;
import io.waymark.core.Role;
import io.waymark.core.RouteDecision;
import io.waymark.core.RouteDecision.PassedOver;
import io.waymark.core.Rule;
import io.waymark.core.Selector;
import io.waymark.core.Tried;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The data source's table of who serves what; pure but for the selector's memory.
 *
 * <table>
 * <caption>Who serves</caption>
 * <tr><th>operation</th><th>forced</th><th>goes to</th></tr>
 * <tr><td>write, tx, lock</td><td>replica</td><td>nobody: WM1840</td></tr>
 * <tr><td>write, tx, lock</td><td>none, primary</td><td>the primary</td></tr>
 * <tr><td>read</td><td>primary</td><td>the primary, never elsewhere</td></tr>
 * <tr><td>read</td><td>replica</td><td>a replica that may serve it, even with a full pool; else
 *     WM1843</td></tr>
 * <tr><td>read</td><td>none</td><td>a replica that may serve it and has room; else the fallback:
 *     the primary, or WM1844. While an operator wants the primary only: the primary</td></tr>
 * </table>
 */
final class ReplicaSetDecider {
  private final RoutingConfig routing;
  private final boolean single;
  private final Decider<Node, Floor> automatic;
  private final Decider<Node, Floor> forced;
  private final Selector<Node> selector;
  private final Selector<Node> forcedSelector;

  /** Of the replicas that are near. A memory of its own: who is far must not miss turns. */
  private final Selector<Node> nearSelector;

  private final Selector<Node> forcedNearSelector;

  /**
   * @param selectors makes one that remembers nothing yet
   */
  ReplicaSetDecider(
      RoutingConfig routing,
      boolean single,
      ReplicaRules rules,
      Supplier<Selector<Node>> selectors) {
    this.routing = routing;
    this.single = single;
    this.automatic = new Decider<>(rules.automatic());
    this.forced = new Decider<>(rules.forced());
    this.selector = selectors.get();
    this.nearSelector = selectors.get();
    // A function of the caller's is asked for automatic reads only.
    boolean asksCaller = routing.select() instanceof Select.Custom;
    this.forcedSelector = asksCaller ? new First() : selector;
    this.forcedNearSelector = asksCaller ? new First() : nearSelector;
  }

  private static final class First implements Selector<Node> {
    @Override
    public int select(Candidates<Node> candidates) {
      return candidates.first();
    }

    @Override
    public int peek(Candidates<Node> candidates) {
      return candidates.first();
    }
  }

  /** Decides for a call. */
  Decision<Node> decide(RouteRequest request, Floor floor, Tried tried) {
    return decide(request, floor, tried, false);
  }

  /** Decides as {@link #decide(RouteRequest, Floor, Tried)} would, moving nothing. */
  Decision<Node> preview(RouteRequest request, Floor floor, Tried tried) {
    return decide(request, floor, tried, true);
  }

  private Decision<Node> decide(RouteRequest request, Floor floor, Tried tried, boolean preview) {
    ReplicaSetView view = floor.view();
    if (single) {
      return tried.hasFailed(view.primary())
          ? new Decision.Refused<>(PostgresReason.SINGLE_ENDPOINT)
          : new Decision.Chosen<>(view.primary(), PostgresReason.SINGLE_ENDPOINT);
    }
    if (request.operation() != Operation.READ) {
      return request.forced() == Role.REPLICA
          ? new Decision.Refused<>(PostgresReason.CONSTRAINT_REPLICA)
          : primary(
              request.forced() == Role.PRIMARY
                  ? PostgresReason.CONSTRAINT_PRIMARY
                  : PostgresReason.PRIMARY_REQUIRED,
              view,
              tried);
    }
    if (request.forced() == Role.PRIMARY) {
      return primary(PostgresReason.CONSTRAINT_PRIMARY, view, tried);
    }
    if (request.primaryOnly() && request.forced() == null) {
      return primary(PostgresReason.PRIMARY_REQUIRED, view, tried);
    }
    if (view.primaryOnly() && request.forced() == null) {
      return primary(PostgresReason.CONSTRAINT_PRIMARY, view, tried);
    }
    return replica(request, floor, tried, preview);
  }

  private Decision<Node> replica(RouteRequest request, Floor floor, Tried tried, boolean preview) {
    ReplicaSetView view = floor.view();
    boolean mustBeReplica = request.forced() == Role.REPLICA;
    if (view.replicas().isEmpty()) {
      return fallback(PostgresReason.FALLBACK_NO_REPLICAS, mustBeReplica, view, tried);
    }
    if (tried.failures() >= Attempts.MOST - 1
        && !mustBeReplica
        && routing.fallback() == Fallback.PRIMARY) {
      // The last attempt is the primary's.
      return fallback(PostgresReason.FALLBACK_UNHEALTHY, false, view, tried);
    }
    if (!floor.resolved()) {
      return tried.wasAsked(view.primary())
          ? fallback(PostgresReason.FALLBACK_POSITION_UNKNOWN, mustBeReplica, view, tried)
          : new Decision.NeedsEvidence<>(view.primary());
    }
    Decision<Node> decision = replica(mustBeReplica, floor, tried, preview);
    return decision != null
        ? decision
        : fallback(why(decider(mustBeReplica), floor, tried), mustBeReplica, view, tried);
  }

  private Decider<Node, Floor> decider(boolean mustBeReplica) {
    return mustBeReplica ? forced : automatic;
  }

  /**
   * First looks at the replicas in the caller's zone. They serve, or are asked for evidence, unless
   * each has a full pool, failed, or was short when it was asked last; then all are looked at. So a
   * forced read queues only where every replica is full.
   *
   * @return null where nobody may serve
   */
  private @Nullable Decision<Node> replica(
      boolean mustBeReplica, Floor floor, Tried tried, boolean preview) {
    Candidates<Node> all = floor.view().eligible();
    Candidates<Node> near = floor.view().near();
    PostgresReason reason = mustBeReplica ? PostgresReason.CONSTRAINT_REPLICA : PostgresReason.AUTO;
    Selector<Node> by = mustBeReplica ? forcedSelector : selector;
    if (near.count() > 0) {
      Selector<Node> byNear = mustBeReplica ? forcedNearSelector : nearSelector;
      Decision<Node> found = among(near, automatic, byNear, floor, tried, reason, preview);
      if (found != null && !wouldAskInVain(found)) {
        return found;
      }
      if (mustBeReplica) {
        Decision<Node> free = among(all, automatic, by, floor, tried, reason, preview);
        if (free != null) {
          return free;
        }
      }
    }
    return among(all, decider(mustBeReplica), by, floor, tried, reason, preview);
  }

  private static @Nullable Decision<Node> among(
      Candidates<Node> candidates,
      Decider<Node, Floor> decider,
      Selector<Node> by,
      Floor floor,
      Tried tried,
      PostgresReason reason,
      boolean preview) {
    return preview
        ? decider.preview(candidates, floor, tried, by, reason)
        : decider.decide(candidates, floor, tried, by, reason);
  }

  /** Whether the replica that would be asked was short when it was asked last. */
  private static boolean wouldAskInVain(Decision<Node> decision) {
    return decision instanceof Decision.NeedsEvidence<Node> needs
        && needs.member().sighting() != null
        && needs.member().sighting().missedBy() > 0;
  }

  private static PostgresReason why(Decider<Node, Floor> decider, Floor floor, Tried tried) {
    Rule<Node, Floor> blocked = decider.blocked(floor.view().eligible(), floor, tried);
    if (blocked == null) {
      return PostgresReason.FALLBACK_UNHEALTHY;
    }
    return ReplicaRules.isCapacity(blocked)
        ? PostgresReason.FALLBACK_SATURATED
        : PostgresReason.FALLBACK_BEHIND;
  }

  private Decision<Node> fallback(
      PostgresReason why, boolean mustBeReplica, ReplicaSetView view, Tried tried) {
    return mustBeReplica || routing.fallback() == Fallback.ERROR
        ? new Decision.Refused<>(why)
        : primary(why, view, tried);
  }

  private Decision<Node> primary(PostgresReason reason, ReplicaSetView view, Tried tried) {
    Node primary = view.primary();
    if (tried.hasFailed(primary)) {
      return new Decision.Refused<>(reason);
    }
    if (view.withoutPrimary() != null) {
      return tried.wasAsked(primary)
          ? new Decision.Refused<>(PostgresReason.NO_PRIMARY)
          : new Decision.NeedsEvidence<>(primary);
    }
    return new Decision.Chosen<>(primary, reason);
  }

  /**
   * Whether this replica may serve this read on the facts at hand, for a caller that has a
   * connection to it already: a full pool is no objection, nor is that it is drained.
   */
  boolean admits(Node replica, Floor floor) {
    return floor.resolved() && floor.view().unfit(replica) == null && forced.admits(replica, floor);
  }

  /** The whole decision, for people. */
  RouteDecision explain(RouteRequest request, Floor floor, @Nullable Node chosen, String reason) {
    List<PassedOver> others = new ArrayList<>();
    for (Node node : floor.view().nodes()) {
      if (chosen == null || node.ordinal() != chosen.ordinal()) {
        others.add(new PassedOver(node.name(), whyNot(node, request, floor, chosen)));
      }
    }
    return new RouteDecision(
        request.operation(), chosen == null ? null : chosen.name(), reason, others);
  }

  private String whyNot(Node node, RouteRequest request, Floor floor, @Nullable Node chosen) {
    ReplicaSetView view = floor.view();
    if (node.ordinal() == 0) {
      String without = view.withoutPrimary();
      return without != null
          ? without
          : request.forced() == Role.REPLICA ? "a replica is forced" : "not needed";
    }
    if (request.operation() != Operation.READ) {
      return "a replica";
    }
    if (request.forced() == Role.PRIMARY || request.primaryOnly()) {
      return "the primary is required";
    }
    if (view.primaryOnly() && request.forced() == null) {
      return "primary only";
    }
    String ineligible = view.ineligible(node);
    if (ineligible != null) {
      return ineligible;
    }
    if (!floor.resolved()) {
      return "position unknown";
    }
    Decider<Node, Floor> decider = request.forced() == Role.REPLICA ? forced : automatic;
    boolean replicaServes = chosen != null && chosen.ordinal() > 0;
    if (chosen != null && view.isNear(chosen) && !view.isNear(node)) {
      return "other zone";
    }
    String failed = decider.explain(node, floor);
    if (failed == null) {
      return replicaServes ? "not its turn" : "may serve";
    }
    return replicaServes && decider.wouldAsk(node, floor)
        ? "would check (" + failed + " when last seen)"
        : failed;
  }
}
