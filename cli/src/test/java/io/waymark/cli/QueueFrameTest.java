package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.cli.processes.Events;
import io.waymark.cli.processes.WorkerRow;
import io.waymark.cli.queue.QueueCounts;
import io.waymark.cli.queue.QueueSettings;
import io.waymark.cli.queue.QueueState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueFrameTest {
  private static QueueState state(int processes, long number, String meaning) {
    List<WorkerRow> rows = new ArrayList<>();
    for (int i = 1; i <= processes; i++) {
      rows.add(new WorkerRow("host-" + i, "paused", i, meaning));
    }
    return new QueueState(
        new QueueSettings(Duration.ofSeconds(60), QueueSettings.Store.SQLITE, number),
        "SQLite",
        Duration.ofSeconds(30),
        meaning,
        rows,
        new Events(Collections.nCopies(8, "  12.0 s  host-2 is killed"), 8),
        new QueueCounts(
            number, number, number, number, number, number, number, number, number, number));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1_234_567, Long.MAX_VALUE / 2})
  void itFitsTheTerminal(long number) {
    for (int processes : new int[] {0, 7, 40}) {
      for (String meaning : List.of("has 3", "a meaning ".repeat(40))) {
        List<String> lines =
            new QueueFrame(new Bars(true)).lines(state(processes, number, meaning));

        assertThat(lines).hasSizeLessThanOrEqualTo(30);
        assertThat(lines).allMatch(line -> line.codePointCount(0, line.length()) <= 100);
      }
    }
  }

  @Test
  void itShowsWhatEachProcessHas() {
    List<String> lines = new QueueFrame(new Bars(false)).lines(state(2, 7, "has 2 mailboxes open"));

    assertThat(String.join("\n", lines))
        .contains("SQLite", "6 mailboxes on 3 hosts", "2 producers", "seed 7")
        .contains("host-1", "paused", "has 2 mailboxes open")
        .contains("accepted 7", "outcome unknown 7", "kills 7", "lost to another host 7")
        .contains("host-2 is killed");
  }
}
