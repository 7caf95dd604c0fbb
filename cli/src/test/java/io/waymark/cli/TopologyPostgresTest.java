package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.coordinator.StateChannel;
import io.waymark.coordinator.TopologyCoordinator;
import io.waymark.durable.DurableStore;
import io.waymark.publish.postgres.PostgresPublisher;
import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.topology.Member;
import io.waymark.topology.MemberRole;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code topology} on PostgreSQL, beside the service whose database it is. */
class TopologyPostgresTest {
  private static final String PASSWORD = "correct-horse";
  private static final JsonMapper JSON = new JsonMapper();

  private static PostgresCluster cluster;

  @TempDir private Path folder;
  private final Map<String, JsonNode> held = new ConcurrentHashMap<>();
  private final StateChannel<JsonNode> limits =
      StateChannel.of("limits", JsonNode.class)
          .members(MemberRole.READ)
          .deliver((member, update) -> held.put(member.id(), update.value()));
  private Path password;
  private HikariDataSource source;
  private DurableStore store;
  private TopologyCoordinator service;

  @BeforeAll
  static void startServer() {
    cluster = PostgresCluster.builder().replicas(0).proxied(false).role("ops", PASSWORD).start();
  }

  @AfterAll
  static void stopServer() {
    cluster.close();
  }

  @BeforeEach
  void aServiceRuns() throws Exception {
    try (var connection = cluster.primary().connect();
        var statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA IF EXISTS ops CASCADE; CREATE SCHEMA AUTHORIZATION ops");
    }
    password = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(cluster.primary().url());
    pool.setUsername("ops");
    pool.setPassword(PASSWORD);
    source = new HikariDataSource(pool);
    start();
    service.update(
        "acme",
        now ->
            now.add(Member.active("acme-0"))
                .add(Member.active("acme-1"))
                .set(limits, JSON.readTree("{\"rate\":100}")));
    await().until(() -> held.size() == 2);
  }

  private void start() {
    Properties properties = new Properties();
    properties.setProperty("user", "ops");
    properties.setProperty("password", PASSWORD);
    store = DurableStore.postgres(source).listen(cluster.primary().url(), properties).open();
    service =
        TopologyCoordinator.builder(store)
            .publisher(PostgresPublisher.of(source))
            .state(limits)
            .build();
  }

  private void stop() {
    service.close();
    store.close();
  }

  @AfterEach
  void end() {
    stop();
    source.close();
  }

  private CommandRun run(String... line) {
    List<String> words = new ArrayList<>(List.of("topology"));
    words.addAll(List.of(line));
    words.addAll(
        List.of(
            "--database",
            cluster.primary().url(),
            "--user",
            "ops",
            "--password-file",
            password.toString()));
    return CommandRun.of(words.toArray(String[]::new));
  }

  @Test
  void theServicePublishesWhatAnOperatorChanges() {
    CommandRun run = run("drain", "acme", "acme-1");

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out()).contains("acme-1: active -> draining", "published.");
    CommandRun shown = run("show", "acme", "--store", cluster.primary().url());
    assertThat(shown.status()).as(shown.all()).isZero();
    assertThat(shown.out())
        .containsPattern("acme-1 +draining")
        .containsPattern("limits +read +acme-1 +arrived");
    assertThat(shown.all()).doesNotContain(PASSWORD);
  }

  @Test
  void whereNoServiceRunsItSaysSo() {
    stop();

    CommandRun run = run("drain", "acme", "acme-1", "--wait", "1s");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("acme-1: active -> draining", "NOT PUBLISHED YET")
        .contains("does the service run?", "--publish --store");
    start();
    await().untilAsserted(() -> assertThat(run("show", "acme").status()).isZero());
  }

  @Test
  void aValueIsDeliveredByTheServiceToThoseWhoGetIt() {
    run("drain", "acme", "acme-1");

    CommandRun run = run("set", "acme", "--value", "limits={\"rate\":7}");

    assertThat(run.status()).as(run.all()).isZero();
    await()
        .untilAsserted(
            () ->
                assertThat(held.values())
                    .extracting(each -> each.get("rate").asInt())
                    .containsExactly(7, 7)); // as the service has it: draining members too
    assertThat(run("show", "acme", "--values").out()).contains("{\"rate\":7}");
    assertThat(run("show", "acme").out()).doesNotContain("{\"rate\":7}");
    assertThat(service.states("acme")).isEqualTo(Map.of("limits", MemberRole.READ));
  }

  @Test
  void aMemberThatDoesNotConvergeIsShownWithItsReason() {
    stop();
    StateChannel<JsonNode> failing =
        StateChannel.of("limits", JsonNode.class)
            .members(MemberRole.READ)
            .deliver(
                (member, update) -> {
                  throw new java.io.IOException(member.id() + " refused the connection");
                });
    try (DurableStore again = DurableStore.postgres(source).open();
        TopologyCoordinator ill =
            TopologyCoordinator.builder(again)
                .publisher(PostgresPublisher.of(source))
                .state(failing)
                .build()) {
      ill.update("acme", now -> now.set(failing, JSON.readTree("{\"rate\":8}")));

      await()
          .untilAsserted(
              () -> {
                CommandRun run = run("show", "acme");
                assertThat(run.status()).isEqualTo(1);
                assertThat(run.out())
                    .containsPattern("acme-0 +pending for .*, tried \\d+ times: .*refused the");
              });
    }
    start();
  }

  @Test
  void watchTellsEachChange() throws Exception {
    Thread changing =
        new Thread(
            () ->
                await()
                    .untilAsserted(
                        () -> assertThat(run("drain", "acme", "acme-1").status()).isZero()));
    changing.start();

    CommandRun run =
        run("watch", "acme", "other", "--seconds", "5", "--store", cluster.primary().url());
    changing.join();

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out())
        .contains("acme-0 active, acme-1 draining")
        .containsPattern("other +none: missing");
  }

  @Test
  void whatAnotherAuthorityPublishedIsTakenOver() throws Exception {
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          "UPDATE waymark_snapshot SET authority = 'other',"
              + " encoded = replace(encoded, authority, 'other')");
    }
    String url = cluster.primary().url();
    assertThat(run("list", "--store", url).out()).contains("of another authority in the store");
    assertThat(run("drain", "acme", "acme-1", "--wait", "3s").status()).isEqualTo(1);
    assertThat(run("show", "acme").out()).contains("another authority");

    CommandRun run = run("take-over", "acme", "--yes");

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run("list", "--store", url).status()).isZero();
  }

  @Test
  void aWrongPasswordIsSaidAndNotShown() throws Exception {
    Files.writeString(password, "hunter2");

    CommandRun run = run("list");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("password authentication failed");
    assertThat(run.all()).doesNotContain("hunter2");
  }
}
