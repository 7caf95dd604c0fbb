package io.waymark.bench.topology;

import com.zaxxer.hikari.HikariDataSource;
import io.etcd.jetcd.Client;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.waymark.publish.etcd.EtcdPublisher;
import io.waymark.publish.etcd.EtcdSnapshots;
import io.waymark.publish.postgres.PostgresPublisher;
import io.waymark.publish.postgres.PostgresSnapshots;
import io.waymark.publish.redis.RedisPublisher;
import io.waymark.publish.redis.RedisSnapshots;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.SnapshotReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** Where Waymark publishes and reads. */
interface WaymarkStore extends AutoCloseable {
  /** What runs beside PostgreSQL, with its version; begins with a separator. */
  String server();

  SnapshotPublisher publisher();

  /** A reader with a connection of its own that hears. */
  SnapshotReader reader();

  @Override
  void close();

  /** The coordinator's own PostgreSQL: readers listen, and read through one small pool. */
  static WaymarkStore postgres(PostgresCluster cluster) {
    HikariDataSource publishing = WaymarkSubject.pool(cluster);
    HikariDataSource reading = WaymarkSubject.pool(cluster);
    Properties login = new Properties();
    login.setProperty("user", PostgresCluster.SUPERUSER);
    return new WaymarkStore() {
      @Override
      public String server() {
        return "";
      }

      @Override
      public SnapshotPublisher publisher() {
        return PostgresPublisher.of(publishing);
      }

      @Override
      public SnapshotReader reader() {
        return PostgresSnapshots.builder(reading).listen(cluster.primary().url(), login).build();
      }

      @Override
      public void close() {
        reading.close();
        publishing.close();
      }
    };
  }

  /** A Redis without persistence. */
  static WaymarkStore redis(PostgresCluster cluster) throws IOException {
    String program = Server.program("redis-server", "redis-server");
    Server server =
        Server.start(
            (folder, port) ->
                List.of(
                    program,
                    "--port",
                    Integer.toString(port),
                    "--bind",
                    "127.0.0.1",
                    "--dir",
                    folder.toString(),
                    "--save",
                    "",
                    "--appendonly",
                    "no"));
    RedisClient client = RedisClient.create();
    RedisURI uri = RedisURI.create("127.0.0.1", server.port());
    return new WaymarkStore() {
      @Override
      public String server() {
        return ", Redis " + Versions.of(program, "--version");
      }

      @Override
      public SnapshotPublisher publisher() {
        return RedisPublisher.of(client, uri);
      }

      @Override
      public SnapshotReader reader() {
        return RedisSnapshots.of(client, uri);
      }

      @Override
      public void close() {
        client.shutdown();
        server.close();
      }
    };
  }

  /** An etcd as the one that is compared with. */
  static WaymarkStore etcd(PostgresCluster cluster) throws IOException {
    Server server = EtcdServer.start();
    List<Client> clients = new ArrayList<>();
    return new WaymarkStore() {
      @Override
      public String server() {
        return ", etcd " + Versions.of("etcd", "--version");
      }

      private Client client() {
        Client client = EtcdServer.client(server);
        clients.add(client);
        return client;
      }

      @Override
      public SnapshotPublisher publisher() {
        return EtcdPublisher.of(client());
      }

      @Override
      public SnapshotReader reader() {
        return EtcdSnapshots.of(client());
      }

      @Override
      public void close() {
        clients.forEach(Client::close);
        server.close();
      }
    };
  }
}
