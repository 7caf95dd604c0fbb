package io.waymark.postgres;

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

/** What it costs to learn what a text of 250 characters does. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SqlTraitsBenchmark {
  private static final String SQL =
      "SELECT o.id, o.placed_at, c.name, sum(l.quantity * l.price) AS total"
          + " FROM orders o JOIN customers c ON c.id = o.customer_id"
          + " JOIN order_lines l ON l.order_id = o.id"
          + " WHERE o.state = 'open' AND o.placed_at > now() - interval '1 day' AND c.id = ?"
          + " GROUP BY 1, 2, 3 ORDER BY 2 DESC LIMIT 50";

  /** The same {@code String} each time, as a constant in a program is. */
  private final String constant = SQL;

  /** A text that was seen before. */
  @Benchmark
  public Object cached() {
    return SqlTraits.of(constant);
  }

  /** A text that was seen before, in a {@code String} that was made just now. */
  @Benchmark
  public Object cachedFresh() {
    return SqlTraits.of(new String(constant.toCharArray()));
  }

  /** A new text. */
  @Benchmark
  public Object scanned() {
    return SqlTraits.scan(constant);
  }
}
