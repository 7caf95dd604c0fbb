package io.waymark.bench;

import io.waymark.postgres.StatementPath;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;

/**
 * Compares a call through Waymark with the same call through HikariCP alone, over a driver that
 * answers at once.
 *
 * <p>On a busy machine two numbers that were measured one after the other cannot be compared. Here
 * short blocks of both take turns, and what is reported is the median of the differences and of the
 * ratios of neighbours, with the interval that holds the true median in 95 of 100 runs. HikariCP
 * against HikariCP shows what the method itself cannot tell apart.
 */
public final class PairedRun {
  private static final int BLOCK = 2_000;
  private static final long SECOND = 1_000_000_000;

  private final Operation operation;
  private final StatementPath control;
  private final StatementPath subject;
  private int sink;

  private PairedRun(Operation operation, StatementPath control, StatementPath subject) {
    this.operation = operation;
    this.control = control;
    this.subject = subject;
  }

  /**
   * Runs all of it.
   *
   * @param args seconds per comparison, 10 by default
   */
  public static void main(String[] args) throws SQLException {
    long seconds = args.length == 0 ? 10 : Long.parseLong(args[0]);
    System.out.printf(
        "%-26s %9s %9s   %-29s %-20s %7s %7s%n",
        "", "plain ns", "ns", "adds ns (95 %)", "ratio (95 %)", "plain B", "adds B");
    try (StatementPath plain = StatementPath.plain();
        StatementPath other = StatementPath.plain();
        StatementPath routed = StatementPath.routed()) {
      warmUp(seconds, plain, routed);
      new PairedRun(Operation.READ, plain, other).run("HikariCP twice", seconds);
      for (Operation operation : Operation.values()) {
        new PairedRun(operation, plain, routed).run(operation.toString(), seconds);
      }
    }
  }

  /** Compiles all paths before the first is measured; the session has written when it ends. */
  private static void warmUp(long seconds, StatementPath plain, StatementPath routed)
      throws SQLException {
    for (Operation operation : Operation.values()) {
      new PairedRun(operation, plain, routed).rounds(seconds, new Sample());
    }
  }

  private void run(String name, long seconds) throws SQLException {
    rounds(Math.max(1, seconds / 4), new Sample());
    Sample sample = new Sample();
    rounds(seconds, sample);
    System.out.println(sample.line(name));
    if (sink == 0) {
      throw new IllegalStateException("nothing was read");
    }
  }

  private void rounds(long seconds, Sample sample) throws SQLException {
    long until = System.nanoTime() + seconds * SECOND;
    for (int round = 0; System.nanoTime() < until; round++) {
      boolean subjectFirst = round % 2 == 1;
      Block first = block(subjectFirst ? subject : control);
      Block second = block(subjectFirst ? control : subject);
      sample.add(subjectFirst ? second : first, subjectFirst ? first : second);
    }
  }

  /** What one block cost, per call. */
  private record Block(double nanos, double bytes) {}

  private Block block(StatementPath path) throws SQLException {
    long bytes = Allocation.bytes();
    long started = System.nanoTime();
    for (int i = 0; i < BLOCK; i++) {
      sink += operation.on(path);
    }
    long took = System.nanoTime() - started;
    return new Block((double) took / BLOCK, (double) (Allocation.bytes() - bytes) / BLOCK);
  }

  /** The pairs of one comparison. */
  private static final class Sample {
    private double[] control = new double[1024];
    private double[] subject = new double[1024];
    private double[] controlBytes = new double[1024];
    private double[] addedBytes = new double[1024];
    private int size;

    void add(Block ofControl, Block ofSubject) {
      if (size == control.length) {
        control = Arrays.copyOf(control, 2 * size);
        subject = Arrays.copyOf(subject, 2 * size);
        controlBytes = Arrays.copyOf(controlBytes, 2 * size);
        addedBytes = Arrays.copyOf(addedBytes, 2 * size);
      }
      control[size] = ofControl.nanos();
      subject[size] = ofSubject.nanos();
      controlBytes[size] = ofControl.bytes();
      addedBytes[size] = ofSubject.bytes() - ofControl.bytes();
      size++;
    }

    String line(String name) {
      double[] added = new double[size];
      double[] ratios = new double[size];
      for (int i = 0; i < size; i++) {
        added[i] = subject[i] - control[i];
        ratios[i] = subject[i] / control[i];
      }
      Median difference = Median.of(added);
      Median ratio = Median.of(ratios);
      return String.format(
          Locale.ROOT,
          "%-26s %9.0f %9.0f   %6.0f (%6.0f .. %6.0f)      %5.2f (%4.2f .. %4.2f) %7.0f %7.0f",
          name,
          Median.of(Arrays.copyOf(control, size)).middle(),
          Median.of(Arrays.copyOf(subject, size)).middle(),
          difference.middle(),
          difference.low(),
          difference.high(),
          ratio.middle(),
          ratio.low(),
          ratio.high(),
          Median.of(Arrays.copyOf(controlBytes, size)).middle(),
          Median.of(Arrays.copyOf(addedBytes, size)).middle());
    }
  }
}
