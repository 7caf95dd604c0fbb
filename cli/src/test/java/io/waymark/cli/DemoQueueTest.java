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

class DemoQueueTest {
  private static final JsonMapper JSON = new JsonMapper();

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "sqlite"})
  void nothingThatWasAcceptedIsLostWhileProcessesAreKilled(String store) {
    CommandRun run =
        CommandRun.of(
            "demo", "queue", "--store", store, "--seconds", "8", "--seed", "3", "--json", "-");

    assertThat(run.status()).as(run.all()).isZero();
    JsonNode json = JSON.readTree(run.out());
    assertThat(json.propertyNames())
        .containsExactly(
            "parameters",
            "accepted",
            "delivered",
            "duplicatesByKey",
            "lost",
            "deadLettered",
            "unconfirmed",
            "unknownPushes",
            "unsentPushes",
            "rejectedPushes",
            "kills",
            "pauses",
            "mailboxesOpened",
            "mailboxesLost",
            "drainSeconds");
    assertThat(json.get("parameters").get("seed").asLong()).isEqualTo(3);
    assertThat(json.get("parameters").get("store").asString()).isEqualTo(store);
    long accepted = json.get("accepted").asLong();
    assertThat(accepted).isPositive();
    assertThat(json.get("lost").asLong()).isZero();
    assertThat(json.get("rejectedPushes").asLong()).isZero();
    assertThat(json.get("deadLettered").asLong()).isPositive();
    assertThat(json.get("delivered").asLong() + json.get("deadLettered").asLong())
        .isGreaterThanOrEqualTo(2 * accepted);
    assertThat(json.get("kills").asLong()).isPositive();
  }

  @Test
  void withoutATerminalItTellsWhatHappensAndLeavesNothing(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("result.json");

    CommandRun run =
        CommandRun.of(
            "demo",
            "queue",
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
    assertThat(run.out()).contains("seed 3", "accepted", " is started again", "lost", "HELD");
    assertThat(JSON.readTree(Files.readString(file)).get("lost").asLong()).isZero();
    assertThat(ProcessHandle.current().descendants().filter(DemoQueueTest::isWorker)).isEmpty();
  }

  private static boolean isWorker(ProcessHandle process) {
    return process.info().commandLine().filter(line -> line.contains("queue.Worker")).isPresent();
  }
}
