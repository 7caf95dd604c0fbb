package io.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.cli.processes.Events;
import io.waymark.cli.processes.WorkerRow;
import io.waymark.cli.shards.ShardsCounts;
import io.waymark.cli.shards.ShardsSettings;
import io.waymark.cli.shards.ShardsState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShardsFrameTest {
  static Stream<ShardsState> states() {
    List<ShardsState> states = new ArrayList<>();
    for (int processes : new int[] {0, 8, 40}) {
      for (long number : new long[] {0, 1_234_567, Long.MAX_VALUE / 2}) {
        for (int words : new int[] {1, 40}) {
          states.add(state(processes, number, "a meaning ".repeat(words)));
        }
      }
    }
    return states.stream();
  }

  @ParameterizedTest
  @MethodSource("states")
  void itFitsTheTerminal(ShardsState state) {
    for (boolean unicode : new boolean[] {true, false}) {
      List<String> lines = new ShardsFrame(new Bars(unicode)).lines(state);

      assertThat(lines).hasSizeLessThanOrEqualTo(30);
      assertThat(lines).allMatch(line -> line.codePointCount(0, line.length()) <= 100);
    }
  }

  @Test
  void itShowsWhatEachProcessHas() {
    List<String> lines = new ShardsFrame(new Bars(false)).lines(state(2, 7, "believes 1.42"));

    assertThat(String.join("\n", lines))
        .contains("PostgreSQL 18.6", "2 coordinators", "3 members", "3 readers", "seed 7")
        .contains("reader-1", "paused", "believes 1.42")
        .contains("updates 7", "crashes 7", "readers went back 7", "members went back 7")
        .contains("member-2 is killed");
  }

  private static ShardsState state(int processes, long number, String meaning) {
    List<WorkerRow> rows = new ArrayList<>();
    for (int i = 1; i <= processes; i++) {
      rows.add(new WorkerRow("reader-" + i, "paused", i, meaning));
    }
    return new ShardsState(
        new ShardsSettings(Duration.ofSeconds(60), ShardsSettings.Store.POSTGRES, number),
        "PostgreSQL 18.6",
        Duration.ofSeconds(30),
        meaning,
        meaning,
        rows,
        new Events(Collections.nCopies(8, "  12.0 s  member-2 is killed"), number),
        new ShardsCounts(
            number, number, number, number, number, number, number, number, number, number,
            number));
  }
}
