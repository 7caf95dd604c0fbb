package io.waymark.bench.peers;

import io.waymark.testing.postgres.PostgresCluster;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a contender is opened over.
 *
 * @param primary host and port
 * @param replicas host and port of each, at least one
 * @param database its name
 */
record Servers(String primary, List<String> replicas, String database) {
  private static final String HOST = "127.0.0.1:";

  /** Over the servers themselves, without a proxy that would cost time. */
  static Servers direct(PostgresCluster cluster, int replicas) {
    return new Servers(
        HOST + cluster.primary().port(),
        cluster.replicas().stream().limit(replicas).map(each -> HOST + each.port()).toList(),
        cluster.database());
  }

  /** With replicas behind proxies, which can fall silent. */
  static Servers proxied(PostgresCluster cluster) {
    return new Servers(
        HOST + cluster.primary().port(),
        cluster.replicas().stream().map(each -> HOST + each.proxy().port()).toList(),
        cluster.database());
  }

  String user() {
    return PostgresCluster.SUPERUSER;
  }

  /** The driver's URL of one server, or of several hosts of which it takes one. */
  String url(String... hosts) {
    return "jdbc:postgresql://" + String.join(",", hosts) + "/" + database;
  }

  /** All hosts in one URL. */
  String urlOfAll() {
    return "jdbc:postgresql://"
        + Stream.concat(Stream.of(primary), replicas.stream()).collect(Collectors.joining(","))
        + "/"
        + database;
  }
}
