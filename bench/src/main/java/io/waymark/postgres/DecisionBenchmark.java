package io.waymark.postgres;

import io.waymark.core.Operation;
import io.waymark.core.Tried;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

/** Where a read goes, over a view in which every replica may serve. */
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DecisionBenchmark {
  private static final ServerInstance SERVER = new ServerInstance(7, 100, "10.0.0.1", 5432);
  private static final long POSITION = 1L << 25;

  /** How many replicas there are. */
  @Param({"3", "16", "1000"})
  public int replicas;

  /** How one is picked. */
  @Param public Select.BuiltIn select = Select.BuiltIn.WEIGHTED;

  /** Whether the session has written. */
  @Param({"false", "true"})
  public boolean token;

  private @Nullable DataSourceRuntime runtime;
  private ReplicaSetDecider decider;
  private Floor floor;
  private final RouteRequest request = new RouteRequest(Operation.READ, null, false);

  /** Makes a view as probes would; opens nothing. */
  @Setup
  public void setUp() {
    WaymarkDataSourceBuilder builder = WaymarkDataSource.builder().primary(FakeDriver.PRIMARY);
    for (int i = 1; i <= replicas; i++) {
      builder.replica("jdbc:postgresql://replica-" + i + "/app");
    }
    builder.routing(routing -> routing.select(select));
    runtime = new DataSourceRuntime(builder.config(), new FakeDriver());
    decider = runtime.decider();
    ReplicaSetView view = ReplicaSetView.of(runtime.endpoints());
    for (Endpoint endpoint : runtime.endpoints()) {
      endpoint.vitals().latency(1_000_000);
      view = view.with(endpoint, sighting(endpoint));
    }
    floor =
        token
            ? new Floor(view, new Token(new History(SERVER, 1), POSITION, 7), true)
            : view.noDemand();
  }

  private static Sighting sighting(Endpoint endpoint) {
    boolean standby = !endpoint.isPrimary();
    return new Sighting(
        standby ? new ServerInstance(7, 100 + endpoint.ordinal(), "10.0.0.2", 5432) : SERVER,
        180_000,
        standby,
        1,
        standby ? Lsn.NONE : POSITION,
        standby ? Lsn.NONE : POSITION,
        standby ? POSITION : Lsn.NONE,
        Lsn.NONE,
        Duration.ZERO,
        false,
        0,
        Set.of(),
        1,
        0,
        1_000_000);
  }

  /** Closes what was never opened. */
  @TearDown
  public void tearDown() {
    if (runtime != null) {
      runtime.close();
    }
  }

  /** As a call decides. */
  @Benchmark
  public Object decide() {
    return decider.decide(request, floor, Tried.NOTHING);
  }

  /** As {@code inspect} decides. */
  @Benchmark
  public Object preview() {
    return decider.preview(request, floor, Tried.NOTHING);
  }
}
