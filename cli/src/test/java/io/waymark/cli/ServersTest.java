package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.testing.postgres.PostgresCluster;
import io.waymark.testing.postgres.PostgresNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code probe} and {@code explain} on real servers. */
class ServersTest {
  private static final String PASSWORD = "correct-horse";
  private static final JsonMapper JSON = new JsonMapper();

  private static PostgresCluster cluster;

  @BeforeAll
  static void start() {
    cluster = PostgresCluster.builder().replicas(2).proxied(false).role("app", PASSWORD).start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  // ---- probe

  @Test
  void probeShowsEachServerOfAClusterThatIsUp() {
    cluster.awaitCaughtUp();

    CommandRun run = asSuperuser("probe", cluster.nodes());

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out())
        .containsPattern("primary +18\\.\\d+ +1 +[0-9A-F]+/[0-9A-F]+ +- .* streams to 2")
        .containsPattern("replica +18\\.\\d+ +1 +[0-9A-F]+/[0-9A-F]+ .* streaming")
        .contains("HELD: ");
  }

  @Test
  void probeWritesJson(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("probe.json");
    cluster.awaitCaughtUp();

    CommandRun run = asSuperuser("probe", cluster.nodes(), "--json", file.toString());

    JsonNode json = JSON.readTree(Files.readString(file));
    assertThat(run.out()).contains("endpoint");
    assertThat(json.propertyNames()).containsExactly("held", "problems", "endpoints");
    assertThat(json.get("held").asBoolean()).isTrue();
    JsonNode replica = json.get("endpoints").get(1);
    assertThat(replica.propertyNames())
        .containsExactly(
            "endpoint",
            "reachable",
            "role",
            "version",
            "timeline",
            "systemId",
            "position",
            "lagBytes",
            "lagMillis",
            "roundTripMillis",
            "state",
            "error");
    assertThat(replica.get("lagBytes").asLong(-1)).isNotNegative();
    assertThat(replica.get("error").isNull()).isTrue();
  }

  @Test
  void probeToStdoutIsJsonAlone() {
    CommandRun run = asSuperuser("probe", cluster.nodes(), "--json", "-");

    assertThat(JSON.readTree(run.out()).get("endpoints").size()).isEqualTo(3);
  }

  @Test
  void probeAsAnOrdinaryRoleKnowsThatAStandbyIsConnected() {
    CommandRun run = run("probe", cluster.nodes(), "", "--user", "app", "--password", PASSWORD);

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out()).contains("connected, streaming not known");
  }

  @Test
  void probeSaysInALineWhyAServerCannotBeReached() {
    PostgresNode dead = cluster.replica(2).kill();
    try {
      CommandRun run = asSuperuser("probe", cluster.nodes());

      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out().lines())
          .anyMatch(line -> line.contains(":" + dead.port()) && line.contains("unreachable: "));
      assertThat(run.out()).contains("NOT HELD: cannot be reached: 127.0.0.1:" + dead.port());
    } finally {
      dead.start().awaitStreaming(cluster.primary());
    }
  }

  @Test
  void probeOfAServerThatDoesNotAnswerEndsInTime() {
    PostgresNode silent = cluster.replica(2).freeze();
    try {
      long started = System.nanoTime();
      CommandRun run = asSuperuser("probe", cluster.nodes(), "--timeout", "500ms");

      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out()).contains("unreachable: no answer in 500 ms");
      assertThat(System.nanoTime() - started).isLessThan(5_000_000_000L);
    } finally {
      silent.thaw();
    }
  }

  @Test
  void probeWithoutAPrimaryDoesNotHold() {
    CommandRun run = asSuperuser("probe", cluster.replicas());

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("NOT HELD: there is no primary among them");
  }

  @Test
  void probeOfTwoClustersDoesNotHold() {
    try (PostgresCluster other = PostgresCluster.builder().replicas(0).proxied(false).start()) {
      List<PostgresNode> nodes = new ArrayList<>(cluster.nodes());
      nodes.add(other.primary());

      CommandRun run = asSuperuser("probe", nodes);

      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out()).contains("there are 2 primaries: ", "system identifiers differ: ");
    }
  }

  // ---- secrets

  @Test
  void aWrongPasswordIsSaidAndNotShown() {
    for (String command : List.of("probe", "explain")) {
      CommandRun inUrl = run(command, cluster.nodes(), "?user=app&password=wrong-battery");
      CommandRun asOption =
          run(command, cluster.nodes(), "", "--user", "app", "--password", "wrong-battery");

      for (CommandRun run : List.of(inUrl, asOption)) {
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.all()).contains("password authentication failed");
        assertThat(run.all()).doesNotContain("wrong-battery");
      }
    }
  }

  @Test
  void aRightPasswordIsNotShown() {
    for (String command : List.of("probe", "explain")) {
      CommandRun run =
          run(command, cluster.nodes(), "?user=app&password=" + PASSWORD, "--json", "-");

      assertThat(run.status()).as(run.all()).isZero();
      assertThat(run.all()).doesNotContain(PASSWORD);
    }
  }

  // ---- explain

  @Test
  void explainSendsAReadToAReplicaAndSaysWhyNotElsewhere() {
    CommandRun run = asSuperuser("explain", cluster.nodes());

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out())
        .containsPattern("^read -> replica-[12] \\(auto:replica-[12]\\)")
        .containsPattern("primary +127\\.0\\.0\\.1:\\d+/postgres +passed over +\\w+");
  }

  @Test
  void explainSendsAWriteToThePrimary() {
    for (String operation : List.of("write", "tx", "lock")) {
      CommandRun run = asSuperuser("explain", cluster.nodes(), "--operation", operation);

      assertThat(run.out()).startsWith(operation + " -> primary (primary-required)");
    }
  }

  @Test
  void explainSaysThatAReplicaIsBehind() {
    PostgresNode late = cluster.replica(1).pauseReplay();
    try {
      cluster.createRole("somebody"); // written on the primary, not replayed here
      String[] options = {"--max-lag", "0B", "--fallback", "error", "--json", "-"};

      CommandRun run = asSuperuser("explain", List.of(cluster.primary(), late), options);

      assertThat(run.status()).as(run.all()).isEqualTo(1);
      JsonNode json = JSON.readTree(run.out());
      assertThat(json.propertyNames())
          .containsExactly("operation", "endpoint", "address", "reason", "passedOver");
      assertThat(json.get("endpoint").isNull()).isTrue();
      assertThat(json.get("passedOver").get(1).get("reason").asString()).startsWith("lag ");
    } finally {
      late.resumeReplay();
    }
  }

  @Test
  void explainWithoutThePrimarySaysSo() {
    CommandRun run = CommandRun.of("explain", "jdbc:postgresql://127.0.0.1:1/d", "--user", "x");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("primary cannot be reached").hasLineCount(1);
  }

  private static CommandRun asSuperuser(
      String command, List<PostgresNode> nodes, String... options) {
    List<String> more = new ArrayList<>(List.of("--user", PostgresCluster.SUPERUSER));
    more.addAll(List.of(options));
    return run(command, nodes, "", more.toArray(String[]::new));
  }

  private static CommandRun run(
      String command, List<PostgresNode> nodes, String parameters, String... options) {
    List<String> args = new ArrayList<>(List.of(command));
    args.addAll(List.of(options));
    nodes.forEach(node -> args.add(node.url() + parameters));
    return CommandRun.of(args.toArray(String[]::new));
  }
}
