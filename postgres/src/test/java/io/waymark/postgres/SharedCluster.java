package io.waymark.postgres;

import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * One real cluster for all tests of this JVM: a primary and two replicas, each behind a proxy.
 * Before each test every lever is taken back and the replicas have caught up.
 */
final class SharedCluster implements BeforeEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(SharedCluster.class);

  private @Nullable PostgresCluster cluster;

  private static PostgresCluster start() {
    PostgresCluster cluster =
        PostgresCluster.builder()
            .replicas(2)
            .setting("max_standby_streaming_delay", "200ms")
            .setting("max_connections", "200")
            .setting("synchronous_commit", "on")
            .start();
    try (Connection connection = cluster.primary().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE notes (id int PRIMARY KEY, title text);"
              + " CREATE SEQUENCE numbers;"
              + " CREATE VIEW hidden AS SELECT nextval('numbers') AS number;"
              + " CREATE FUNCTION note(int) RETURNS int LANGUAGE sql VOLATILE AS"
              + " 'INSERT INTO notes VALUES ($1, ''by function'') RETURNING id';"
              + " CREATE PROCEDURE note_and_commit(int) LANGUAGE plpgsql AS"
              + " 'BEGIN INSERT INTO notes VALUES ($1, ''by procedure''); COMMIT; END';"
              + " CREATE TABLE parents (id int PRIMARY KEY);"
              + " CREATE TABLE children (id int PRIMARY KEY, parent int REFERENCES parents"
              + " DEFERRABLE INITIALLY DEFERRED);"
              + " CREATE ROLE clerk LOGIN; CREATE ROLE lazy LOGIN;"
              + " ALTER ROLE lazy SET synchronous_commit = off;"
              + " GRANT ALL ON ALL TABLES IN SCHEMA public TO clerk, lazy");
    } catch (SQLException e) {
      cluster.close();
      throw new IllegalStateException(e);
    }
    return cluster;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    cluster =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .computeIfAbsent("cluster", key -> start(), PostgresCluster.class);
    heal(cluster);
  }

  private static void heal(PostgresCluster cluster) {
    for (PostgresNode node : cluster.nodes()) {
      node.proxy().target("127.0.0.1", node.port());
      node.proxy().accept();
      node.proxy().resume();
      node.proxy().cancelCut();
      node.proxy().latency(Duration.ZERO);
      node.thaw();
      if (!node.isRunning()) {
        node.start();
      }
    }
    for (PostgresNode node : cluster.replicas()) {
      node.resumeReplay();
      node.awaitStreaming(cluster.primary()).awaitCaughtUp();
    }
  }

  private PostgresCluster cluster() {
    return Objects.requireNonNull(cluster, "the cluster starts with the first test");
  }

  PostgresNode primary() {
    return cluster().primary();
  }

  PostgresNode replica(int number) {
    return cluster().replica(number);
  }

  List<PostgresNode> replicas() {
    return cluster().replicas();
  }

  List<PostgresNode> nodes() {
    return cluster().nodes();
  }

  void pauseReplay() {
    replicas().forEach(PostgresNode::pauseReplay);
  }

  void resumeReplay() {
    replicas().forEach(PostgresNode::resumeReplay);
  }

  /** Runs statements as the superuser, past every data source and proxy. */
  void onPrimary(String... statements) throws SQLException {
    try (Connection connection = primary().connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Round trips through the proxies of all nodes. */
  long roundTrips() {
    return nodes().stream().mapToLong(PostgresNode::roundTrips).sum();
  }

  /** Connections that the proxies of all nodes accepted. */
  long connectionsOpened() {
    return nodes().stream().mapToLong(node -> node.wire().connectionsOpened()).sum();
  }

  /** A configuration over the whole cluster, through its proxies. */
  WaymarkDataSourceBuilder builder() {
    WaymarkDataSourceBuilder builder =
        WaymarkDataSource.builder().user("postgres").primary(primary().proxyUrl());
    replicas().forEach(node -> builder.replica(node.proxyUrl()));
    return builder;
  }

  /** A data source over the whole cluster, through its proxies, that remembers its events. */
  RecordedDataSource open(Consumer<WaymarkDataSourceBuilder> options) throws SQLException {
    return RecordedDataSource.open(builder(), options);
  }

  /** Probes rarely, so that what the proxies count is the callers' and what these cause. */
  RecordedDataSource openQuiet() throws SQLException {
    return open(b -> b.routing(r -> r.probe("1m")));
  }
}
