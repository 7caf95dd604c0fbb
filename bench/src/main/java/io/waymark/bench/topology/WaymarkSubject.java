package io.waymark.bench.topology;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.coordinator.TopologyCoordinator;
import io.waymark.coordinator.TopologyCoordinatorBuilder;
import io.waymark.coordinator.UpdateResult;
import io.waymark.durable.DurableStore;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.TopologyClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A coordinator on PostgreSQL that publishes into a store, and clients that read it. Every change
 * is a transaction on PostgreSQL first.
 */
final class WaymarkSubject implements Subject {
  private final PostgresCluster cluster;
  private final HikariDataSource writing;
  private final WaymarkStore store;
  private final List<TopologyClient> reading = new ArrayList<>();

  /** What is opened over a running cluster. */
  @FunctionalInterface
  interface Opening {
    WaymarkStore open(PostgresCluster cluster) throws Exception;
  }

  private WaymarkSubject(PostgresCluster cluster, WaymarkStore store) {
    this.cluster = cluster;
    this.writing = pool(cluster);
    this.store = store;
  }

  /** Twenty connections at most. */
  static HikariDataSource pool(PostgresCluster cluster) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(cluster.primary().url());
    config.setUsername(PostgresCluster.SUPERUSER);
    config.setMaximumPoolSize(20);
    return new HikariDataSource(config);
  }

  static Subject open(Opening opening) throws Exception {
    PostgresCluster cluster =
        PostgresCluster.builder().replicas(0).setting("max_connections", "300").start();
    try {
      return new WaymarkSubject(cluster, opening.open(cluster));
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
  }

  @Override
  public String servers() {
    return "PostgreSQL " + cluster.version() + store.server();
  }

  @Override
  public Writer writer(boolean published) {
    DurableStore durable = DurableStore.postgres(writing).open();
    TopologyCoordinatorBuilder builder =
        TopologyCoordinator.builder(durable).publisher(store.publisher());
    if (!published) {
      builder.publishWait(Duration.ZERO);
    }
    TopologyCoordinator coordinator = builder.build();
    return new Writer() {
      @Override
      public void write(String group, long number) {
        UpdateResult result = coordinator.update(group, now -> now.members(Load.members(number)));
        if (published && !result.published()) {
          throw new IllegalStateException("group " + group + " is not published");
        }
      }

      @Override
      public void close() {
        coordinator.close();
        durable.close();
      }
    };
  }

  @Override
  public void follow(int reader, String group, LongConsumer seen) throws Exception {
    TopologyClient client =
        TopologyClient.builder(store.reader())
            .onChange(change -> change.after().map(Load::number).ifPresent(seen::accept))
            .build();
    reading.add(client);
    GroupSnapshot first = client.get(group);
    seen.accept(Load.number(first));
  }

  @Override
  public void close() {
    reading.forEach(TopologyClient::close);
    store.close();
    writing.close();
    cluster.close();
  }
}
