package io.waymark.postgres;

import java.sql.SQLException;
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

/**
 * From {@code getConnection} to {@code close}, over a driver that answers at once. For what Waymark
 * adds to HikariCP, the paired run is the better witness; this one has JMH's profilers.
 */
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StatementBenchmark {
  /** Through what. */
  public enum Through {
    /** HikariCP alone. */
    PLAIN,
    /** Waymark. */
    ROUTED
  }

  /** Through what. */
  @Param public Through through = Through.PLAIN;

  private StatementPath path;

  /** Opens the data source; the session has written. */
  @Setup
  public void setUp() throws SQLException {
    path = through == Through.PLAIN ? StatementPath.plain() : StatementPath.routed();
    path.write();
  }

  /** Closes it. */
  @TearDown
  public void tearDown() {
    path.close();
  }

  /** A read in autocommit. */
  @Benchmark
  public int read() throws SQLException {
    return path.read();
  }

  /** A read in a transaction. */
  @Benchmark
  public int readTransaction() throws SQLException {
    return path.readTransaction();
  }

  /** A write in a transaction. */
  @Benchmark
  public int write() throws SQLException {
    return path.write();
  }
}
