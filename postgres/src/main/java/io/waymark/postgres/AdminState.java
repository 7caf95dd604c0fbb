package io.waymark.postgres;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What an operator has asked of a data source, at one moment. Immutable; names are in the order of
 * configuration.
 *
 * @param drained the replicas that no new read goes to
 * @param weights the weight of each replica now, drained ones included
 * @param primaryOnly whether all reads that force no role go to the primary
 */
public record AdminState(Set<String> drained, Map<String, Double> weights, boolean primaryOnly) {
  /** Copies what it is given. */
  public AdminState {
    drained = Collections.unmodifiableSet(new LinkedHashSet<>(drained));
    weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
  }

  static AdminState of(ReplicaSetView view) {
    Set<String> drained = new LinkedHashSet<>();
    Map<String, Double> weights = new LinkedHashMap<>();
    for (Node replica : view.replicas()) {
      if (replica.drained()) {
        drained.add(replica.name());
      }
      weights.put(replica.name(), replica.weight());
    }
    return new AdminState(drained, weights, view.primaryOnly());
  }
}
