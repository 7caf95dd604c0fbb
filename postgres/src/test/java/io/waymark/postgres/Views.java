package io.waymark.postgres;

import io.waymark.core.Circuit;
import io.waymark.core.LiveView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.LongSupplier;
import org.postgresql.Driver;

/** Views without servers: a primary and replicas that nobody connects to. */
final class Views {
  static final ServerInstance FIRST = new ServerInstance(7, 100, "10.0.0.1", 5432);
  static final ServerInstance SECOND = new ServerInstance(7, 200, "10.0.0.2", 5432);
  static final ServerInstance FOREIGN = new ServerInstance(8, 300, "10.0.0.3", 5432);

  private Views() {}

  /** Endpoints of a configuration, closed and unopened. */
  static List<Endpoint> endpoints(WaymarkDataSourceConfig config) {
    Readings readings = new Readings();
    List<LiveView<ReplicaSetView>> view = new ArrayList<>();
    ScheduledThreadPoolExecutor nobody = new ScheduledThreadPoolExecutor(0);
    List<EndpointConfig> all = new ArrayList<>();
    all.add(config.primary());
    all.addAll(config.replicas());
    return all.stream()
        .map(
            endpoint ->
                new Endpoint(
                    endpoint,
                    new Circuit(config.routing().probe(), config.ticker()),
                    new Endpoint.Parts() {
                      @Override
                      public EndpointPool pool(Endpoint of) {
                        return new EndpointPool(of, config, opener(of), readings, nobody);
                      }

                      @Override
                      public EndpointMonitor monitor(Endpoint of) {
                        return new EndpointMonitor(
                            of, config, opener(of), () -> view.get(0), readings);
                      }

                      private PhysicalOpener opener(Endpoint of) {
                        return new PhysicalOpener(new Driver(), config, of.config());
                      }
                    }))
        .toList();
  }

  /** A configuration with so many replicas. */
  static WaymarkDataSourceBuilder builder(int replicas, LongSupplier ticker) {
    WaymarkDataSourceBuilder builder =
        WaymarkDataSource.builder().ticker(ticker).primary("jdbc:postgresql://a/app");
    for (int i = 1; i <= replicas; i++) {
      builder.replica("jdbc:postgresql://replica-" + i + "/app");
    }
    return builder;
  }

  /** One replica, before the first probe. */
  static ReplicaSetView nothingSeen() {
    return ReplicaSetView.of(endpoints(builder(1, () -> 0).config()));
  }

  /** What a probe of a primary sees. */
  static Sighting primary(ServerInstance server, int timeline, long insert, long reading) {
    return sighting(server, false, timeline, insert, Lsn.NONE, 0, Set.of(), reading);
  }

  /** What a probe of a primary sees that was promoted where its old timeline ended. */
  static Sighting promoted(
      ServerInstance server, int timeline, long fork, long insert, long reading) {
    return primary(server, timeline, insert, reading).withFork(fork);
  }

  /** What a probe of a standby sees. */
  static Sighting standby(
      ServerInstance server, int timeline, long replay, Set<Long> committed, long reading) {
    return sighting(server, true, timeline, Lsn.NONE, replay, 0, committed, reading);
  }

  /** What a standby answers that is asked for more than it has. */
  static Sighting shortBy(ServerInstance server, int timeline, long replay, long missedBy) {
    return sighting(server, true, timeline, Lsn.NONE, replay, missedBy, Set.of(), 1);
  }

  private static Sighting sighting(
      ServerInstance server,
      boolean standby,
      int timeline,
      long insert,
      long replay,
      long missedBy,
      Set<Long> committed,
      long reading) {
    return new Sighting(
        server,
        180_000,
        standby,
        timeline,
        insert,
        insert,
        replay,
        Lsn.NONE,
        Duration.ofSeconds(1),
        false,
        missedBy,
        committed,
        reading,
        0,
        1_000_000);
  }
}
