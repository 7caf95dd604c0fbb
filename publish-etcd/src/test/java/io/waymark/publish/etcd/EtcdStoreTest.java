package io.waymark.publish.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.options.CompactOption;
import io.waymark.testing.FreePort;
import io.waymark.testing.TcpProxy;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.SnapshotReader;
import io.waymark.topology.SnapshotStoreException;
import io.waymark.topology.Stamp;
import io.waymark.topology.Tombstone;
import io.waymark.topology.TopologyClient;
import io.waymark.topology.TopologyUnavailableException;
import io.waymark.topology.UnavailableReason;
import io.waymark.topology.WriteOutcome;
import io.waymark.topology.contract.LocalServer;
import io.waymark.topology.contract.StoreContract;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdStoreTest extends StoreContract {
  @TempDir private static Path folder;
  private static LocalServer server;
  private static TcpProxy proxy;
  private static Client direct;
  private static Client proxied;

  @BeforeAll
  static void start() {
    String program = LocalServer.installed("etcd", "apt-get install etcd-server");
    FreePort port = FreePort.find();
    try (FreePort peers = FreePort.find()) {
      String clientUrl = "http://127.0.0.1:" + port.number();
      String peerUrl = "http://127.0.0.1:" + peers.number();
      peers.release();
      server =
          LocalServer.start(
              port,
              List.of(
                  program,
                  "--name",
                  "one",
                  "--data-dir",
                  folder.toString(),
                  "--unsafe-no-fsync",
                  "--listen-client-urls",
                  clientUrl,
                  "--advertise-client-urls",
                  clientUrl,
                  "--listen-peer-urls",
                  peerUrl,
                  "--initial-advertise-peer-urls",
                  peerUrl,
                  "--initial-cluster",
                  "one=" + peerUrl));
    }
    proxy = TcpProxy.to("127.0.0.1", server.port());
    direct = client(server.port());
    proxied = client(proxy.port());
  }

  private static Client client(int port) {
    return Client.builder()
        .endpoints("http://127.0.0.1:" + port)
        .keepaliveTime(Duration.ofSeconds(1))
        .keepaliveTimeout(Duration.ofSeconds(1))
        .build();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      proxied.close();
      direct.close();
      proxy.close();
      server.close();
    }
  }

  @Override
  protected SnapshotReader reader() {
    return EtcdSnapshots.of(direct);
  }

  @Override
  protected SnapshotPublisher publisher() {
    return EtcdPublisher.of(direct);
  }

  @Override
  protected void scribble(String group, String text) throws Exception {
    direct
        .getKVClient()
        .put(bytes("/waymark/groups/" + group), bytes(text))
        .get(30, TimeUnit.SECONDS);
  }

  @Override
  protected void forget(String group) throws Exception {
    direct.getKVClient().delete(bytes("/waymark/groups/" + group)).get(30, TimeUnit.SECONDS);
  }

  /** There is no channel; what others put under the prefix is told all the same. */
  @Override
  protected void whisper(String message) throws Exception {
    scribble(message, message);
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }

  private UnavailableReason reason(TopologyClient client) {
    try {
      throw new AssertionError("served " + client.get(group));
    } catch (TopologyUnavailableException e) {
      return e.reason();
    }
  }

  /** A client whose snapshots last, so that only the watch changes them. */
  private TopologyClient reading(Client client) {
    return keep(
        TopologyClient.builder(
                EtcdSnapshots.builder(client).heartbeat(Duration.ofMillis(300)).build())
            .ttl(Duration.ofHours(1))
            .build());
  }

  @Test
  void aGroupThatWasDeletedAndMadeAgainDuringAPartitionIsSeenWhenItEnds() {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));
    TopologyClient reading = reading(proxied);
    await().until(() -> reading.inspect(group).silent().isEmpty());
    assertThat(reading.get(group)).isEqualTo(snapshot("1.1@a"));

    proxy.refuse();
    proxy.reset();
    await().until(() -> reading.inspect(group).silent().isPresent());
    publisher.write(new Tombstone(group, Stamp.parse("1.2@a")));
    publisher.write(snapshot("1.3@a"));
    assertThat(reading.get(group)).isEqualTo(snapshot("1.1@a"));
    proxy.accept();

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> reading.get(group).equals(snapshot("1.3@a")));
  }

  @Test
  void aChangeThatWasCompactedAwayDuringAPartitionIsRead() throws Exception {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));
    TopologyClient reading = reading(proxied);
    await().until(() -> reading.inspect(group).silent().isEmpty());
    reading.get(group);

    proxy.refuse();
    proxy.reset();
    await().until(() -> reading.inspect(group).silent().isPresent());
    publisher.write(snapshot("1.2@a"));
    publisher.write(snapshot("1.3@a"));
    long revision =
        direct
            .getKVClient()
            .get(bytes("nothing"))
            .get(30, TimeUnit.SECONDS)
            .getHeader()
            .getRevision();
    direct
        .getKVClient()
        .compact(revision, CompactOption.builder().withCompactPhysical(true).build())
        .get(30, TimeUnit.SECONDS);
    proxy.accept();

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> reading.get(group).equals(snapshot("1.3@a")));
    // and the watch goes on
    await().until(() -> reading.inspect(group).silent().isEmpty());
    publisher.write(snapshot("1.4@a"));
    await().until(() -> reading.get(group).equals(snapshot("1.4@a")));
  }

  @Test
  void aWatchThatFellSilentIsNoticedAndWhatItMissedIsRead() {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));
    TopologyClient reading = reading(proxied);
    await().until(() -> reading.inspect(group).silent().isEmpty());
    reading.get(group);

    proxy.blackHole();
    publisher.write(snapshot("1.2@a"));
    await().atMost(Duration.ofSeconds(30)).until(() -> reading.inspect(group).silent().isPresent());
    proxy.reset();
    proxy.resume();

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> reading.get(group).equals(snapshot("1.2@a")));
  }

  @Test
  void aServerThatIsDownAtTheStartIsFoundWhenItComesUp() {
    proxy.refuse();
    try (Client late = client(proxy.port())) {
      SnapshotPublisher publisher = EtcdPublisher.of(late);
      TopologyClient reading = reading(late);

      assertThat(reason(reading)).isIn(UnavailableReason.FAILED, UnavailableReason.TIMEOUT);
      assertThat(publisher.write(snapshot("1.1@a"))).isInstanceOf(WriteOutcome.NotWritten.class);
      assertThatThrownBy(() -> publisher.sweep((name, stamp) -> {}))
          .isInstanceOf(SnapshotStoreException.class);
      proxy.accept();

      await().atMost(Duration.ofSeconds(60)).until(() -> reading.inspect(group).silent().isEmpty());
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> publisher.write(snapshot("1.1@a")).isApplied());
      await().until(() -> reading.inspect(group).snapshot().isPresent());
      assertThat(reading.get(group)).isEqualTo(snapshot("1.1@a"));
    } finally {
      proxy.accept();
    }
  }

  @Test
  void storesWithOtherPrefixesAreApart() throws Exception {
    SnapshotPublisher one = keep(EtcdPublisher.builder(direct).prefix("/one/").build());
    SnapshotReader other = keep(EtcdSnapshots.builder(direct).prefix("/other/").build());
    Heard heard = new Heard();
    other.watch(heard);
    await().until(() -> heard.beginnings.get() == 1);

    one.write(snapshot("1.1@a"));

    Map<String, Stamp> swept = new HashMap<>();
    one.sweep(swept::put);
    assertThat(swept).containsEntry(group, Stamp.parse("1.1@a"));
    assertThat(text(other, group)).isEmpty();
    assertThat(heard.has(group)).isFalse();
  }

  @Test
  void whatIsClosedLeavesNoThreadAndNoWatch() throws Exception {
    await().until(() -> watches() == 0);
    TopologyClient reading = reading(direct);
    await().until(() -> reading.inspect(group).silent().isEmpty());
    assertThat(threads()).isPositive();
    assertThat(watches()).isEqualTo(1);

    reading.close();

    await().until(() -> threads() == 0);
    await().until(() -> watches() == 0);
  }

  /** How many watches the server knows of. */
  private static long watches() throws Exception {
    URI metrics = URI.create("http://127.0.0.1:" + server.port() + "/metrics");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofLines())
        .body()
        .filter(line -> line.startsWith("etcd_debugging_mvcc_watcher_total "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("waymark-topology-watch"))
        .count();
  }
}
