package io.waymark.bench;

import io.waymark.postgres.StatementPath;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

/**
 * Compares a call through Waymark with the same call through HikariCP alone, over a driver that
 * answers at once; see {@link Pairs} for how. HikariCP against HikariCP shows what the method
 * itself cannot tell apart.
 */
public final class PairedRun {
  private static final int BLOCK = 2_000;

  private PairedRun() {}

  /**
   * Runs all of it.
   *
   * @param args seconds per comparison, 10 by default
   */
  public static void main(String[] args) throws SQLException {
    Duration time = Duration.ofSeconds(args.length == 0 ? 10 : Long.parseLong(args[0]));
    System.out.printf(
        "%-26s %9s %9s   %-29s %-20s %7s %7s%n",
        "", "plain ns", "ns", "adds ns (95 %)", "ratio (95 %)", "plain B", "adds B");
    try (StatementPath plain = StatementPath.plain();
        StatementPath other = StatementPath.plain();
        StatementPath routed = StatementPath.routed()) {
      warmUp(time, plain, routed);
      print("HikariCP twice", Pairs.of(Operation.READ, plain, other, BLOCK), time);
      for (Operation operation : Operation.values()) {
        print(operation.toString(), Pairs.of(operation, plain, routed, BLOCK), time);
      }
    }
  }

  /** Compiles all paths before the first is measured; the session has written when it ends. */
  private static void warmUp(Duration time, StatementPath plain, StatementPath routed)
      throws SQLException {
    for (Operation operation : Operation.values()) {
      Pairs.of(operation, plain, routed, BLOCK).run(time);
    }
  }

  private static void print(String name, Pairs<SQLException> pairs, Duration time)
      throws SQLException {
    pairs.run(time.dividedBy(4));
    System.out.println(line(name, pairs.run(time)));
  }

  private static String line(String name, Pairs.Sample sample) {
    Median added = sample.added();
    Median ratio = sample.ratio();
    return String.format(
        Locale.ROOT,
        "%-26s %9.0f %9.0f   %6.0f (%6.0f .. %6.0f)      %5.2f (%4.2f .. %4.2f) %7.0f %7.0f",
        name,
        sample.control().middle(),
        sample.subject().middle(),
        added.middle(),
        added.low(),
        added.high(),
        ratio.middle(),
        ratio.low(),
        ratio.high(),
        sample.controlBytes().middle(),
        sample.addedBytes().middle());
  }
}
