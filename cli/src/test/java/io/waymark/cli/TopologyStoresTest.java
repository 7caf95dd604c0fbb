package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.coordinator.TopologyCoordinator;
import io.waymark.durable.DurableStore;
import io.waymark.testing.FreePort;
import io.waymark.topology.Member;
import io.waymark.topology.MemorySnapshots;
import io.waymark.topology.contract.LocalServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code topology} on the stores that are servers of their own. */
class TopologyStoresTest {
  @TempDir private Path folder;

  @Test
  void redisIsPublishedToAndLookedAt() {
    String program = LocalServer.installed("redis-server", "apt-get install redis-server");
    FreePort port = FreePort.find();
    try (LocalServer server =
        LocalServer.start(
            port,
            List.of(program, "--port", "" + port.number(), "--bind", "127.0.0.1", "--save", ""))) {
      isPublishedToAndLookedAt("redis://127.0.0.1:" + server.port());
    }
  }

  @Test
  void etcdIsPublishedToAndLookedAt() {
    String program = LocalServer.installed("etcd", "apt-get install etcd-server");
    FreePort port = FreePort.find();
    try (FreePort peers = FreePort.find()) {
      String url = "http://127.0.0.1:" + port.number();
      String peerUrl = "http://127.0.0.1:" + peers.number();
      peers.release();
      try (LocalServer server =
          LocalServer.start(
              port,
              List.of(
                  program,
                  "--name",
                  "one",
                  "--data-dir",
                  folder.resolve("etcd").toString(),
                  "--unsafe-no-fsync",
                  "--listen-client-urls",
                  url,
                  "--advertise-client-urls",
                  url,
                  "--listen-peer-urls",
                  peerUrl,
                  "--initial-advertise-peer-urls",
                  peerUrl,
                  "--initial-cluster",
                  "one=" + peerUrl))) {
        isPublishedToAndLookedAt("etcd://127.0.0.1:" + server.port());
      }
    }
  }

  private void isPublishedToAndLookedAt(String where) {
    Path database = folder.resolve("topology.db");
    try (DurableStore store = DurableStore.sqlite(database).open();
        TopologyCoordinator service =
            TopologyCoordinator.builder(store)
                .publisher(new MemorySnapshots().publisher())
                .build()) {
      service.update("acme", now -> now.add(Member.active("acme-0")).add(Member.active("acme-1")));
    }

    CommandRun changed =
        CommandRun.of(
            "topology",
            "drain",
            "acme",
            "acme-1",
            "--publish",
            "--store",
            where,
            "--database",
            database.toString());
    CommandRun listed =
        CommandRun.of("topology", "list", "--store", where, "--database", database.toString());
    CommandRun shown = CommandRun.of("topology", "show", "acme", "--store", where);
    CommandRun watched =
        CommandRun.of("topology", "watch", "acme", "--seconds", "1", "--json", "--store", where);

    assertThat(changed.status()).as(changed.all()).isZero();
    assertThat(listed.status()).as(listed.all()).isZero();
    assertThat(listed.out()).containsPattern("acme +1\\.2 +2 +yes +same");
    assertThat(shown.status()).as(shown.all()).isZero();
    assertThat(shown.out()).containsPattern("acme-1 +draining");
    assertThat(watched.out()).contains("\"group\":\"acme\"", "\"state\":\"draining\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://app:hunter2@127.0.0.1:1",
        "redis://:hunter2@127.0.0.1:1/0",
        "jdbc:postgresql://127.0.0.1:1/d?password=hunter2",
      })
  void aStoreThatCannotBeReachedIsSaidWithoutItsPassword(String where) {
    CommandRun run = CommandRun.of("topology", "show", "acme", "--store", where);

    assertThat(run.status()).as(run.all()).isEqualTo(1);
    assertThat(run.err()).contains("the store");
    assertThat(run.all()).doesNotContain("hunter2");
  }
}
