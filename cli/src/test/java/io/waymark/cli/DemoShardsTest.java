package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoShardsTest {
  private static final JsonMapper JSON = new JsonMapper();

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "sqlite"})
  void nothingIsLostAndNobodyGoesBackWhileProcessesAreKilled(String store) {
    CommandRun run =
        CommandRun.of(
            "demo", "shards", "--store", store, "--seconds", "8", "--seed", "3", "--json", "-");

    assertThat(run.status()).as(run.all()).isZero();
    JsonNode json = JSON.readTree(run.out());
    assertThat(json.propertyNames())
        .containsExactly(
            "parameters",
            "updates",
            "unknownUpdates",
            "crashes",
            "pauses",
            "published",
            "reads",
            "regressionsSeen",
            "lostUpdates",
            "membersConverged",
            "readersConverged",
            "deliveries",
            "staleDeliveriesApplied",
            "propagationMillis");
    assertThat(json.get("propagationMillis").propertyNames()).containsExactly("p50", "p99");
    assertThat(json.get("parameters").get("seed").asLong()).isEqualTo(3);
    assertThat(json.get("parameters").get("store").asString()).isEqualTo(store);
    assertThat(json.get("updates").asLong()).isPositive();
    assertThat(json.get("crashes").asLong()).isPositive();
    assertThat(json.get("published").asLong()).isPositive();
    assertThat(json.get("deliveries").asLong()).isPositive();
    assertThat(json.get("reads").asLong()).isPositive();
    assertThat(json.get("regressionsSeen").asLong()).isZero();
    assertThat(json.get("lostUpdates").asLong()).isZero();
    assertThat(json.get("staleDeliveriesApplied").asLong()).isZero();
    assertThat(json.get("membersConverged").asBoolean()).isTrue();
    assertThat(json.get("readersConverged").asBoolean()).isTrue();
    assertThat(json.get("propagationMillis").get("p50").asDouble()).isPositive();
  }

  @Test
  void withoutATerminalItTellsWhatHappensAndLeavesNothing(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("result.json");

    CommandRun run =
        CommandRun.of(
            "demo",
            "shards",
            "--store",
            "sqlite",
            "--seconds",
            "6",
            "--seed",
            "3",
            "--no-live",
            "--json",
            file.toString());

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out())
        .contains("seed 3", "reader-1 (running) believes", " is started again", "HELD");
    assertThat(JSON.readTree(Files.readString(file)).get("lostUpdates").asLong()).isZero();
    assertThat(ProcessHandle.current().descendants().filter(DemoShardsTest::isWorker)).isEmpty();
  }

  private static boolean isWorker(ProcessHandle process) {
    return process.info().commandLine().filter(line -> line.contains("shards.Worker")).isPresent();
  }
}
