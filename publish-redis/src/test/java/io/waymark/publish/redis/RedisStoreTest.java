package io.waymark.publish.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.waymark.testing.Direction;
import io.waymark.testing.FreePort;
import io.waymark.testing.TcpProxy;
import io.waymark.topology.GroupSnapshot;
import io.waymark.topology.Published;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisStoreTest extends StoreContract {
  private static LocalServer server;
  private static TcpProxy proxy;
  private static RedisClient client;

  @BeforeAll
  static void start() {
    server = start("--maxmemory", "0");
    proxy = TcpProxy.to("127.0.0.1", server.port());
    client = RedisClient.create();
  }

  private static LocalServer start(String... settings) {
    String program = LocalServer.installed("redis-server", "apt-get install redis-server");
    FreePort port = FreePort.find();
    List<String> command =
        new ArrayList<>(
            List.of(
                program,
                "--port",
                Integer.toString(port.number()),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no"));
    command.addAll(List.of(settings));
    return LocalServer.start(port, command);
  }

  @AfterAll
  static void stop() {
    if (client != null) {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      proxy.close();
      server.close();
    }
  }

  private static RedisURI direct() {
    return RedisURI.create("127.0.0.1", server.port());
  }

  private static RedisURI proxied() {
    return RedisURI.create("127.0.0.1", proxy.port());
  }

  @Override
  protected SnapshotReader reader() {
    return RedisSnapshots.of(client, direct());
  }

  @Override
  protected SnapshotPublisher publisher() {
    return RedisPublisher.of(client, direct());
  }

  @Override
  protected void scribble(String group, String text) {
    try (StatefulRedisConnection<String, String> connection = client.connect(direct())) {
      connection.sync().hset("waymark:group:" + group, "encoded", text);
    }
  }

  @Override
  protected void forget(String group) {
    try (StatefulRedisConnection<String, String> connection = client.connect(direct())) {
      connection.sync().del("waymark:group:" + group);
    }
  }

  @Override
  protected void whisper(String message) {
    try (StatefulRedisConnection<String, String> connection = client.connect(direct())) {
      connection.sync().publish("waymark:group:changes", message);
    }
  }

  private UnavailableReason reason(TopologyClient client) {
    try {
      throw new AssertionError("served " + client.get(group));
    } catch (TopologyUnavailableException e) {
      return e.reason();
    }
  }

  /** A client whose snapshots last, so that only a push changes them. */
  private TopologyClient client(RedisURI uri) {
    return TopologyClient.builder(
            RedisSnapshots.builder(client, uri).heartbeat(Duration.ofMillis(300)).build())
        .ttl(Duration.ofHours(1))
        .build();
  }

  @Test
  void aServerThatForgotIsFilledAgainAsSoonAsItIsBack() {
    SnapshotPublisher publisher = openPublisher();
    Map<String, Published> issued = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      String name = group + "-" + i;
      issued.put(
          name,
          i % 10 == 0
              ? new Tombstone(name, Stamp.parse("1.2@a"))
              : new GroupSnapshot(name, Stamp.parse("1.1@a"), snapshot("1.1@a").members()));
    }
    issued.values().forEach(publisher::write);
    AtomicInteger doubts = new AtomicInteger();
    publisher.onDoubt(
        () -> {
          doubts.incrementAndGet();
          new Thread(() -> fill(publisher, issued)).start();
        });
    TopologyClient reading = keep(client(direct()));
    String some = group + "-1";
    await().until(() -> reading.inspect(some).silent().isEmpty());
    GroupSnapshot before = reading.get(some);

    server.down();
    await().until(() -> reading.inspect(some).silent().isPresent());
    assertThat(reading.get(some)).isSameAs(before);
    server.start();

    await().atMost(Duration.ofSeconds(30)).until(() -> doubts.get() > 0);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> swept(publisher).entrySet().containsAll(stamps(issued).entrySet()));
    await().atMost(Duration.ofSeconds(30)).until(() -> holds(reading, some, before));
  }

  private static void fill(SnapshotPublisher publisher, Map<String, Published> issued) {
    Map<String, Stamp> stored = swept(publisher);
    issued.forEach(
        (name, published) -> {
          if (!published.stamp().equals(stored.get(name))) {
            publisher.write(published);
          }
        });
  }

  private static Map<String, Stamp> swept(SnapshotPublisher publisher) {
    Map<String, Stamp> stored = new HashMap<>();
    publisher.sweep(stored::put);
    return stored;
  }

  private static Map<String, Stamp> stamps(Map<String, Published> issued) {
    Map<String, Stamp> stamps = new HashMap<>();
    issued.forEach((name, published) -> stamps.put(name, published.stamp()));
    return stamps;
  }

  private static boolean holds(TopologyClient client, String group, GroupSnapshot snapshot) {
    try {
      return client.get(group).equals(snapshot);
    } catch (TopologyUnavailableException e) {
      return false;
    }
  }

  @Test
  void aGroupThatWasDeletedAndMadeAgainDuringAPartitionIsSeenWhenItEnds() {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));
    TopologyClient reading = keep(client(proxied()));
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
        .atMost(Duration.ofSeconds(30))
        .until(() -> reading.get(group).equals(snapshot("1.3@a")));
  }

  @Test
  void aConnectionThatFellSilentIsNoticedAndWhatItMissedIsRead() {
    SnapshotPublisher publisher = openPublisher();
    publisher.write(snapshot("1.1@a"));
    TopologyClient reading = keep(client(proxied()));
    await().until(() -> reading.inspect(group).silent().isEmpty());
    reading.get(group);

    proxy.blackHole();
    publisher.write(snapshot("1.2@a"));
    await().atMost(Duration.ofSeconds(30)).until(() -> reading.inspect(group).silent().isPresent());
    proxy.reset();
    proxy.resume();

    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> reading.get(group).equals(snapshot("1.2@a")));
  }

  @Test
  void aServerThatIsDownAtTheStartIsFoundWhenItComesUp() {
    proxy.refuse();
    SnapshotPublisher publisher = keep(RedisPublisher.of(client, proxied()));
    TopologyClient reading = keep(client(proxied()));

    assertThat(reason(reading)).isEqualTo(UnavailableReason.FAILED);
    assertThat(publisher.write(snapshot("1.1@a"))).isInstanceOf(WriteOutcome.NotWritten.class);
    assertThatThrownBy(() -> publisher.sweep((name, stamp) -> {}))
        .isInstanceOf(SnapshotStoreException.class);
    proxy.accept();

    await().atMost(Duration.ofSeconds(30)).until(() -> reading.inspect(group).silent().isEmpty());
    assertThat(publisher.write(snapshot("1.1@a"))).isEqualTo(WriteOutcome.applied());
    await().until(() -> reading.inspect(group).snapshot().isPresent());
    assertThat(reading.get(group)).isEqualTo(snapshot("1.1@a"));
  }

  @Test
  void aWriteThatIsNotAnsweredIsUncertainAndMayBeWrittenAgain() throws Exception {
    SnapshotPublisher publisher = keep(RedisPublisher.of(client, proxied()));
    publisher.write(snapshot("1.1@a"));
    proxy.blackHole(Direction.TO_CLIENT);
    WriteOutcome outcome;
    try {
      outcome = publisher.write(snapshot("1.2@a"));
    } finally {
      proxy.reset();
      proxy.resume();
    }

    assertThat(outcome).isInstanceOf(WriteOutcome.Uncertain.class);
    assertThat(stored(openReader(), group)).isEqualTo(snapshot("1.2@a"));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> publisher.write(snapshot("1.2@a")).isApplied());
  }

  @Test
  void aServerThatMayDropGroupsIsWarnedOf() {
    List<String> warnings = new CopyOnWriteArrayList<>();
    try (LocalServer full = start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")) {
      RedisURI uri = RedisURI.create("127.0.0.1", full.port());
      SnapshotPublisher publisher =
          RedisPublisher.builder(client, uri).onWarning(warnings::add).build();
      publisher.write(snapshot("1.1@a"));
      await().until(() -> !warnings.isEmpty());
      publisher.close();
    }
    assertThat(warnings.get(0)).contains("allkeys-lru").contains("noeviction");
  }

  @Test
  void aServerThatDropsNothingIsNotWarnedOf() {
    List<String> warnings = new CopyOnWriteArrayList<>();
    try (LocalServer kept = start("--maxmemory", "100mb", "--maxmemory-policy", "volatile-lru")) {
      RedisURI uri = RedisURI.create("127.0.0.1", kept.port());
      try (SnapshotPublisher publisher =
          RedisPublisher.builder(client, uri).onWarning(warnings::add).build()) {
        publisher.write(snapshot("1.1@a"));
        publisher.write(snapshot("1.2@a"));
      }
    }
    assertThat(warnings).isEmpty();
  }

  @Test
  void aServerThatIsFullRefusesAndNothingIsWritten() throws Exception {
    try (LocalServer full = start("--maxmemory", "100kb", "--maxmemory-policy", "noeviction")) {
      RedisURI uri = RedisURI.create("127.0.0.1", full.port());
      try (SnapshotPublisher publisher = RedisPublisher.of(client, uri);
          SnapshotReader reader = RedisSnapshots.of(client, uri)) {
        assertThat(publisher.write(snapshot("1.1@a"))).isInstanceOf(WriteOutcome.NotWritten.class);
        assertThat(text(reader, group)).isEmpty();
      }
    }
  }

  @Test
  void keysOfOthersUnderThePrefixDisturbNothing() {
    try (StatefulRedisConnection<String, String> connection = client.connect(direct())) {
      connection.sync().set("waymark:group:" + group, "text");
    }
    SnapshotPublisher publisher = openPublisher();

    assertThat(publisher.write(snapshot("1.1@a"))).isInstanceOf(WriteOutcome.NotWritten.class);
    assertThat(swept(publisher)).doesNotContainKey(group);
  }

  @Test
  void storesWithOtherPrefixesAreApart() throws Exception {
    SnapshotPublisher one = keep(RedisPublisher.builder(client, direct()).prefix("one:").build());
    SnapshotReader other = keep(RedisSnapshots.builder(client, direct()).prefix("other:").build());
    Heard heard = new Heard();
    other.watch(heard);
    await().until(() -> heard.beginnings.get() == 1);

    one.write(snapshot("1.1@a"));

    assertThat(text(other, group)).isEmpty();
    assertThat(swept(one)).containsEntry(group, Stamp.parse("1.1@a"));
    assertThat(heard.has(group)).isFalse();
    assertThatThrownBy(() -> RedisPublisher.builder(client, direct()).prefix("a*"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
