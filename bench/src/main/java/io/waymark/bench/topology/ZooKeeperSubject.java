package io.waymark.bench.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Version;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/**
 * ZooKeeper by its own client: a node, and a persistent watch of it. Its events carry no value, so
 * a reader reads the node when it is told.
 */
final class ZooKeeperSubject implements Subject {
  private static final int SESSION_MILLIS = 30_000;

  private final Server server;
  private final ZooKeeper writing;
  private final List<ZooKeeper> reading = new ArrayList<>();

  private ZooKeeperSubject(Server server) throws IOException, InterruptedException {
    this.server = server;
    this.writing = connect(server);
  }

  static Subject open() throws IOException, InterruptedException {
    return new ZooKeeperSubject(Server.start(ZooKeeperSubject::command));
  }

  /** A JVM of its own, on loopback only, that does not flush. */
  private static List<String> command(Path folder, int port) throws IOException {
    Path config = folder.resolve("zoo.cfg");
    Files.writeString(
        config,
        String.join(
            "\n",
            "dataDir=" + folder.resolve("data"),
            "clientPortAddress=127.0.0.1",
            "clientPort=" + port,
            "maxClientCnxns=0",
            "admin.enableServer=false",
            ""));
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Dzookeeper.forceSync=no",
        "-Dzookeeper.jmx.log4j.disable=true",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
        "-cp",
        System.getProperty("java.class.path"),
        ZooKeeperServerMain.class.getName(),
        config.toString());
  }

  private static ZooKeeper connect(Server server) throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            "127.0.0.1:" + server.port(),
            SESSION_MILLIS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    if (!connected.await(30, TimeUnit.SECONDS)) {
      client.close();
      throw new IOException("ZooKeeper cannot be reached");
    }
    return client;
  }

  @Override
  public String servers() {
    return "ZooKeeper " + Version.getVersion();
  }

  /** A set is committed and can be found at once. */
  @Override
  public Writer writer(boolean published) {
    return new Writer() {
      @Override
      public void write(String group, long number) throws Exception {
        byte[] value = Load.encoded(group, number).getBytes(UTF_8);
        try {
          writing.setData("/" + group, value, -1);
        } catch (KeeperException.NoNodeException e) {
          writing.create("/" + group, value, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void follow(int reader, String group, LongConsumer seen) throws Exception {
    ZooKeeper client = connect(server);
    reading.add(client);
    String path = "/" + group;
    DataCallback read =
        (status, node, context, data, stat) -> {
          if (data != null) {
            seen.accept(Load.number(group, new String(data, UTF_8)));
          }
        };
    client.addWatch(
        path, event -> client.getData(path, false, read, null), AddWatchMode.PERSISTENT);
    client.getData(path, false, read, null);
  }

  @Override
  public void close() {
    try {
      for (ZooKeeper client : reading) {
        client.close();
      }
      writing.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.close();
    }
  }
}
