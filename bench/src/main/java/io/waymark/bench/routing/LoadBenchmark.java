package io.waymark.bench.routing;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.RoutingLoad;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What counting costs a shard, with the real clock. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LoadBenchmark {
  private final RoutingLoad load = new RoutingLoad();

  /** The beginning and the end of a call. */
  @Benchmark
  public long call() {
    long started = load.beginInbound();
    load.endInbound(started);
    return started;
  }

  /** What goes back with an answer. */
  @Benchmark
  public LoadSnapshot snapshot() {
    return load.snapshot();
  }
}
