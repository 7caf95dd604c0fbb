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

class DemoPostgresTest {
  private static final JsonMapper JSON = new JsonMapper();

  @Test
  void noReadMissesItsSessionsWritesAndNothingFails(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("result.json");

    CommandRun run =
        CommandRun.of(
            "demo", "--seconds", "5", "--seed", "1", "--no-live", "--json", file.toString());

    assertThat(run.status()).as(run.all()).isZero();
    assertThat(run.out()).contains("replica-1 lags", "replica-2 is dead", "HELD");
    JsonNode json = JSON.readTree(Files.readString(file));
    assertThat(json.propertyNames())
        .containsExactly(
            "parameters",
            "writes",
            "reads",
            "staleReads",
            "failedReads",
            "failedWrites",
            "readsByEndpoint",
            "readsByReason",
            "replicaShare",
            "readLatencyMicros",
            "writeLatencyMicros");
    assertThat(json.get("readLatencyMicros").propertyNames()).containsExactly("p50", "p99");
    assertThat(json.get("writeLatencyMicros").propertyNames()).containsExactly("p50", "p99");
    assertThat(json.get("parameters").get("seed").asLong()).isEqualTo(1);
    assertThat(json.get("writes").asLong()).isPositive();
    assertThat(json.get("staleReads").asLong()).isZero();
    assertThat(json.get("failedReads").asLong()).isZero();
    assertThat(json.get("failedWrites").asLong()).isZero();
    assertThat(sum(json.get("readsByEndpoint"))).isEqualTo(json.get("reads").asLong());
    assertThat(sum(json.get("readsByReason"))).isEqualTo(json.get("reads").asLong());
    assertThat(json.get("replicaShare").asDouble()).isBetween(0.5, 1.0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--synchronous-commit off", "--idle-writer"})
  void noReadMissesItsSessionsWritesAlso(String options) {
    CommandRun run =
        CommandRun.of(
            ("demo --seconds 4 --sessions 8 --seed 1 --json - " + options).split(" ", -1));

    assertThat(run.status()).as(run.all()).isZero();
    JsonNode json = JSON.readTree(run.out());
    JsonNode parameters = json.get("parameters");
    assertThat(parameters.get("synchronousCommit").asString())
        .isEqualTo(options.endsWith("off") ? "off" : "on");
    assertThat(parameters.get("idleWriter").asBoolean()).isEqualTo(options.equals("--idle-writer"));
    assertThat(json.get("writes").asLong()).isPositive();
    assertThat(json.get("staleReads").asLong()).isZero();
    // Log that is not flushed reaches no replica, so fewer reads find it there.
    assertThat(json.get("replicaShare").asDouble()).isGreaterThan(0.2);
  }

  @Test
  void withEventualConsistencyTheCheckFindsStaleReads() {
    CommandRun run =
        CommandRun.of(
            "demo",
            "postgres",
            "--seconds",
            "3",
            "--replicas",
            "1",
            "--sessions",
            "4",
            "--consistency",
            "eventual",
            "--json",
            "-");

    assertThat(run.status()).as(run.all()).isEqualTo(1);
    JsonNode json = JSON.readTree(run.out());
    assertThat(json.get("staleReads").asLong()).isPositive();
    assertThat(json.get("failedReads").asLong()).isZero();
  }

  private static long sum(JsonNode counts) {
    long sum = 0;
    for (JsonNode count : counts.values()) {
      sum += count.asLong();
    }
    return sum;
  }
}
