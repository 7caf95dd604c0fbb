package io.waymark.bench.routing;

import io.waymark.bench.Pairs;
import io.waymark.topology.routing.Pick;
import io.waymark.topology.routing.ShardMember;
import io.waymark.topology.routing.ShardPicker;
import java.time.Duration;
import java.util.stream.IntStream;

/** Picks of a {@link ShardPicker}, each of which is told at once that its shard has answered. */
final class WaymarkPicks implements Pairs.Turn<RuntimeException> {
  private final ShardPicker picker;

  WaymarkPicks(int members) {
    picker =
        ShardPicker.builder()
            .slowStart(Duration.ZERO) // it is over after ten seconds, and nothing is new here
            .members(
                IntStream.range(0, members).mapToObj(i -> ShardMember.of("shard-" + i)).toList());
  }

  @Override
  public int run(int calls) {
    int results = 0;
    for (int i = 0; i < calls; i++) {
      Pick pick = picker.pick();
      results |= pick.shard().length();
      pick.answered(null);
    }
    return results;
  }
}
