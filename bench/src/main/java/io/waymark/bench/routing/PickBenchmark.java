package io.waymark.bench.routing;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.RoutingLoad;
import io.waymark.topology.routing.Pick;
import io.waymark.topology.routing.ShardMember;
import io.waymark.topology.routing.ShardPicker;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the default policy costs for a call: a pick, and the word that the shard has answered. With
 * the real clock; {@code -t 8} for threads that share the picker.
 */
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PickBenchmark {
  /** Among how many members is chosen. */
  @Param({"16", "1000"})
  public int members;

  private ShardPicker picker;

  /** What a shard says next; each thread its own. */
  @State(Scope.Thread)
  public static class Saying {
    private long sequence;

    private LoadSnapshot next() {
      return new LoadSnapshot(
          Instant.EPOCH,
          RoutingLoad.WINDOW,
          "bench",
          ++sequence,
          LoadSnapshot.Traffic.NONE,
          LoadSnapshot.Traffic.NONE,
          0);
    }
  }

  /** Makes a picker over as many members that nothing is known of. */
  @Setup
  public void setUp() {
    picker =
        ShardPicker.builder()
            .slowStart(Duration.ZERO) // it is over after ten seconds, and nothing is new here
            .members(
                IntStream.range(0, members).mapToObj(i -> ShardMember.of("shard-" + i)).toList());
  }

  /** The shard said nothing of its load. */
  @Benchmark
  public String pickAndRelease() {
    Pick pick = picker.pick();
    pick.answered(null);
    return pick.shard();
  }

  /** The shard said something new of its load; with the making of that. */
  @Benchmark
  public String pickAndLearn(Saying saying) {
    Pick pick = picker.pick();
    pick.answered(saying.next());
    return pick.shard();
  }
}
