package io.waymark.examples.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.durable.FanoutMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventStreamTest {
  private static FanoutMessage<Event> event(String key, int number) {
    return FanoutMessage.of(key + "/" + number, new Event(key, "step " + number));
  }

  @Test
  void theMainShowsThatNoConsumerWaitsForAnother(@TempDir Path folder)
      throws IOException, InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    EventStreamMain.run(folder, new PrintStream(out, true, StandardCharsets.UTF_8));

    String said = out.toString(StandardCharsets.UTF_8);
    assertThat(said)
        .contains("billing has 50, search has 0", "search=50")
        .contains("billing has 50, search has 50");
  }

  @Test
  void eachConsumerGetsEveryEventAndAKeyStaysInItsPartition(@TempDir Path folder)
      throws IOException {
    Map<String, Set<String>> taken = new ConcurrentHashMap<>();
    Map<String, Set<String>> partitionsOfKey = new ConcurrentHashMap<>();
    EventConsumer failingOnce =
        (partition, id, event) -> {
          if (taken.computeIfAbsent("seen", n -> ConcurrentHashMap.newKeySet()).add(id)) {
            throw new IOException("not this time");
          }
          taken.computeIfAbsent("audit", n -> ConcurrentHashMap.newKeySet()).add(id);
        };
    EventConsumer billing =
        (partition, id, event) -> {
          taken.computeIfAbsent("billing", n -> ConcurrentHashMap.newKeySet()).add(id);
          partitionsOfKey
              .computeIfAbsent(event.key(), n -> ConcurrentHashMap.newKeySet())
              .add(partition);
        };
    try (EventStream stream =
        EventStream.open(folder, 3, Map.of("billing", billing, "audit", failingOnce))) {
      for (int i = 0; i < 30; i++) {
        assertThat(stream.append(List.of(event("order-" + i % 6, i))).isAccepted()).isTrue();
      }

      await()
          .untilAsserted(
              () -> assertThat(stream.pending().values()).allMatch(pending -> pending == 0));
    }

    assertThat(taken.get("billing")).hasSize(30);
    assertThat(taken.get("audit")).hasSize(30);
    assertThat(partitionsOfKey.values()).allMatch(partitions -> partitions.size() == 1);
    assertThat(partitionsOfKey).hasSize(6);
  }

  @Test
  void eventsOfSeveralKeysCannotBePushedTogether(@TempDir Path folder) throws IOException {
    try (EventStream stream = EventStream.open(folder, 3, Map.of("audit", (p, id, event) -> {}))) {
      assertThatThrownBy(() -> stream.append(List.of(event("a", 1), event("b", 1))))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
