package io.waymark.testing.postgres;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster was built with.
 *
 * @param version the major version asked for, or 0 for the one on the class path
 * @param installation an installed server to use instead of the bundled binaries, or null
 * @param replicas number of streaming replicas
 * @param database the database that URLs name
 * @param settings lines of {@code postgresql.conf} for all nodes, in order
 * @param roles roles that are created before the cluster is handed out
 * @param synchronousReplicas how many replicas a commit waits for; 0 for none
 * @param proxied whether each node has a proxy
 * @param timeout how long one step may take before it counts as failed
 * @param folder where the data folder is made, or null for the default
 */
record PostgresClusterConfig(
    int version,
    @Nullable Path installation,
    int replicas,
    String database,
    Map<String, String> settings,
    List<Role> roles,
    int synchronousReplicas,
    boolean proxied,
    Duration timeout,
    @Nullable Path folder) {

  /**
   * A role with login.
   *
   * @param password null lets it in without one
   * @param options further words of {@code CREATE ROLE}, such as {@code REPLICATION}
   */
  record Role(String name, @Nullable String password, List<String> options) {
    Role {
      options = List.copyOf(options);
    }

    @Override
    public String toString() {
      return "Role[" + name + "]";
    }
  }

  PostgresClusterConfig {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    roles = List.copyOf(roles);
  }
}
