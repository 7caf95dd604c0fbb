package io.waymark.topology;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a call for a group's members costs while they are fresh, with the real clock. */
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TopologyBenchmark {
  /** How many groups are kept and asked for by turns; a power of two. */
  @Param({"1", "1024"})
  public int groups;

  private TopologyClient client;
  private String[] names;

  /** Which group is next; each thread its own. */
  @State(Scope.Thread)
  public static class Turn {
    private int next;
  }

  /** Publishes the groups and reads them once. */
  @Setup
  public void setUp() {
    MemorySnapshots store = new MemorySnapshots();
    client = TopologyClient.builder(store.reader()).ttl(Duration.ofHours(1)).build();
    names = new String[groups];
    for (int i = 0; i < groups; i++) {
      names[i] = "group-" + i;
      Stamp stamp = new Stamp("bench", 1, 1);
      store.publisher().write(new GroupSnapshot(names[i], stamp, Members.numbered(names[i], 3)));
      client.get(names[i]);
    }
  }

  /** Closes the client. */
  @TearDown
  public void tearDown() {
    client.close();
  }

  /** As a caller asks. */
  @Benchmark
  public GroupSnapshot get(Turn turn) {
    return client.get(names[turn.next++ & (groups - 1)]);
  }
}
