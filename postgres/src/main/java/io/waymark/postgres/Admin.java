package io.waymark.postgres;

import io.waymark.core.LiveView;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import java.util.List;
import java.util.Objects;

/**
 * The levers of an operator: what may be changed about a data source while it runs. They hold for
 * this data source in this process, until they are moved again or it is closed; nothing is stored.
 *
 * <p>Each takes effect at the next decision. What is under way where it is ends there: a statement,
 * a transaction, and a connection that is tied to its server by session state or an open result. A
 * held connection that nothing ties moves at its next transaction.
 *
 * <p>A name that is no replica's is an {@link OptionException} that lists the replicas. Every call
 * may be repeated. Thread safe; no call waits.
 */
public final class Admin {
  private final LiveView<ReplicaSetView> view;

  Admin(LiveView<ReplicaSetView> view) {
    this.view = view;
  }

  /**
   * Keeps new reads away from a replica, forced ones too, for example before its server is stopped.
   * Its idle connections are closed, and those in use when they are given back; a caller that waits
   * for one goes elsewhere. It is probed as before. When {@link EndpointStatus#connections()} is 0,
   * nothing of this data source is under way there.
   *
   * <p>It is passed over as {@code drained}. When no replica is left, reads fall back as {@code
   * fallback:unhealthy}, and forced ones fail with WM1843.
   *
   * @param replica the replica's name
   * @throws OptionException if there is no such replica, or it is the primary: nothing else takes
   *     the writes
   */
  public void drain(String replica) {
    Endpoint endpoint = endpoint("drain", replica);
    view.swap(now -> now.drained(endpoint, true));
    endpoint.pool().evict();
  }

  /**
   * Lets reads go to a drained replica again, as soon as it may serve otherwise. It has its whole
   * share at once.
   *
   * @param replica the replica's name
   * @throws OptionException if there is no such replica
   */
  public void resume(String replica) {
    Endpoint endpoint = endpoint("resume", replica);
    view.swap(now -> now.drained(endpoint, false));
  }

  /**
   * Changes a replica's share of reads, as {@link ReplicaBuilder#weight} set it at first. It counts
   * from the next selection, under {@link Select#WEIGHTED} and for functions that look at it.
   *
   * @param replica the replica's name
   * @param weight relative to the other replicas; to take a replica out, {@link #drain} it
   * @throws OptionException if there is no such replica, the weight is not positive and finite, or
   *     the total of the weights would not be
   */
  public void weight(String replica, double weight) {
    Endpoint endpoint = endpoint("weight", replica);
    OptionValue.positive(
        EndpointConfig.option(endpoint.ordinal(), PostgresOption.REPLICA_WEIGHT), weight);
    view.swap(
        now -> {
          ReplicaSetView after = now.weighing(endpoint, weight);
          WaymarkDataSourceConfig.checkWeights(
              after.replicas().stream().map(Node::weight).toList());
          return after;
        });
  }

  /**
   * Sends every read that forces no role to the primary, with the reason {@code
   * constraint:primary}, also where {@code routing.fallback} is {@code error}; or lets replicas
   * serve again. So that they cannot starve writes, such reads take at most half of the primary's
   * connections, as those that fall back. Reads that force a replica are still served there: they
   * must never reach the primary, so the choice would be to fail them. {@link #drain} the replicas
   * to stop those too.
   */
  public void primaryOnly(boolean only) {
    view.swap(now -> now.primaryOnly(only));
  }

  /** What is asked for now. */
  public AdminState state() {
    return AdminState.of(view.current());
  }

  private Endpoint endpoint(String lever, String name) {
    Objects.requireNonNull(name, "name");
    ReplicaSetView now = view.current();
    for (Node node : now.replicas()) {
      if (node.name().equals(name)) {
        return node.endpoint();
      }
    }
    boolean primary = now.primary().name().equals(name);
    throw new OptionException(
        lever
            + " cannot be "
            + OptionText.quote(name)
            + ": "
            + (primary
                ? "it is the primary, and nothing else takes the writes"
                : "there is no such replica")
            + ". Accepted: "
            + names(now.replicas())
            + ".");
  }

  private static String names(List<Node> replicas) {
    return replicas.isEmpty()
        ? "nothing, because no replicas are configured"
        : String.join(", ", replicas.stream().map(node -> OptionText.quote(node.name())).toList());
  }

  /** The present state. */
  @Override
  public String toString() {
    return "Admin[" + state() + "]";
  }
}
