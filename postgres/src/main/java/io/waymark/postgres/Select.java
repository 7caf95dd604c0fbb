package io.waymark.postgres;

import java.util.List;
import java.util.OptionalLong;

/** How one of the replicas that may serve a read is picked. */
public sealed interface Select {
  /**
   * Smooth weighted round robin (the default): each eligible replica's running weight grows by its
   * configured weight, the largest wins and then loses the total that took part.
   */
  Select WEIGHTED = BuiltIn.WEIGHTED;

  /** The next eligible replica after the previous pick, in the order of configuration. */
  Select ROUND_ROBIN = BuiltIn.ROUND_ROBIN;

  /** The fewest statements in flight; a tie stays with the earlier replica. */
  Select LEAST_CONNECTIONS = BuiltIn.LEAST_CONNECTIONS;

  /**
   * The lowest round trip: the first sample is kept, later ones count at 0.2; a replica without a
   * sample loses; a tie stays with the earlier replica.
   */
  Select LATENCY_AWARE = BuiltIn.LATENCY_AWARE;

  /** A function of the caller's; see {@link Function}. */
  static Select by(Function function) {
    return new Custom(function);
  }

  /** The selectors that have a name. */
  enum BuiltIn implements Select {
    /** See {@link Select#WEIGHTED}. */
    WEIGHTED,
    /** See {@link Select#ROUND_ROBIN}. */
    ROUND_ROBIN,
    /** See {@link Select#LEAST_CONNECTIONS}. */
    LEAST_CONNECTIONS,
    /** See {@link Select#LATENCY_AWARE}. */
    LATENCY_AWARE
  }

  /**
   * A selector given as a function.
   *
   * @param function the caller's
   */
  record Custom(Function function) implements Select {}

  /**
   * Picks a replica for a read that did not force a role and that two or more replicas may serve.
   * Where none is known to, as after a write, replicas are asked in turn, and who may serve then
   * does; the function has no part in that. Called on the reading thread; it must not block. What
   * it throws reaches the caller.
   */
  @FunctionalInterface
  interface Function {
    /**
     * @param candidates two or more replicas that may serve, in the order of configuration
     * @return the name of one of them
     */
    String select(List<Candidate> candidates);
  }

  /**
   * A replica that may serve, as a custom selector sees it.
   *
   * @param name the endpoint's name
   * @param weight its weight, as configured or as {@link Admin#weight} has set it
   * @param inFlight statements that this data source has in flight there
   * @param latencyNanos the average round trip; empty until a probe or a read was timed
   * @param lagBytes log written on the primary and not yet replayed here; empty when either
   *     position is unknown
   */
  record Candidate(
      String name, double weight, int inFlight, OptionalLong latencyNanos, OptionalLong lagBytes) {}
}
