package io.waymark.bench;

import io.waymark.postgres.StatementPath;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;

/**
 * Compares one operation on two paths. On a busy machine two numbers that were measured one after
 * the other cannot be compared. Here short blocks of both take turns, and what counts is the median
 * of the differences and of the ratios of neighbours, with the interval that holds the true median
 * in 95 of 100 runs. Used by one thread.
 *
 * @param <X> what a call may throw
 */
public final class Pairs<X extends Exception> {
  private final Turn<X> control;
  private final Turn<X> subject;
  private final int block;
  private int sink;

  /**
   * One of the two that take turns.
   *
   * @param <X> what a call may throw
   */
  public interface Turn<X extends Exception> {
    /**
     * Makes calls one after the other.
     *
     * @return something made of what they returned; not 0
     */
    int run(int calls) throws X;
  }

  /**
   * Compares nothing yet.
   *
   * @param control what the other is measured against
   * @param subject the other
   * @param block how many calls in a row each makes
   */
  public Pairs(Turn<X> control, Turn<X> subject, int block) {
    this.control = control;
    this.subject = subject;
    this.block = block;
  }

  /**
   * Compares nothing yet.
   *
   * @param operation what is compared
   * @param control what the other is measured against
   * @param subject the other
   * @param block how many calls in a row each makes
   */
  public static Pairs<SQLException> of(
      Operation operation, StatementPath control, StatementPath subject, int block) {
    return new Pairs<>(turn(operation, control), turn(operation, subject), block);
  }

  private static Turn<SQLException> turn(Operation operation, StatementPath path) {
    return calls -> {
      int results = 0;
      for (int i = 0; i < calls; i++) {
        results |= operation.on(path);
      }
      return results;
    };
  }

  /**
   * Takes turns for a time.
   *
   * @throws X if a call fails; then there is no figure
   */
  public Sample run(Duration time) throws X {
    Sample sample = new Sample();
    long until = System.nanoTime() + time.toNanos();
    for (int round = 0; round == 0 || System.nanoTime() < until; round++) {
      boolean subjectFirst = round % 2 == 1;
      Block first = block(subjectFirst ? subject : control);
      Block second = block(subjectFirst ? control : subject);
      sample.add(subjectFirst ? second : first, subjectFirst ? first : second);
    }
    if (sink == 0) {
      throw new IllegalStateException("nothing was read");
    }
    return sample;
  }

  /** What one block cost, per call. */
  private record Block(double nanos, double bytes) {}

  private Block block(Turn<X> turn) throws X {
    long bytes = Allocation.bytes();
    long started = System.nanoTime();
    sink |= turn.run(block);
    long took = System.nanoTime() - started;
    return new Block((double) took / block, (double) (Allocation.bytes() - bytes) / block);
  }

  /** The pairs of one comparison. */
  public static final class Sample {
    private double[] control = new double[1024];
    private double[] subject = new double[1024];
    private double[] controlBytes = new double[1024];
    private double[] addedBytes = new double[1024];
    private int size;

    private Sample() {}

    private void add(Block ofControl, Block ofSubject) {
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

    /** How many. */
    public int pairs() {
      return size;
    }

    /** What the control took per call, in nanoseconds. */
    public Median control() {
      return Median.of(Arrays.copyOf(control, size));
    }

    /** What the subject took per call, in nanoseconds. */
    public Median subject() {
      return Median.of(Arrays.copyOf(subject, size));
    }

    /** What the subject took more per call than its neighbour, in nanoseconds. */
    public Median added() {
      double[] added = new double[size];
      for (int i = 0; i < size; i++) {
        added[i] = subject[i] - control[i];
      }
      return Median.of(added);
    }

    /** What the subject took as a multiple of its neighbour. */
    public Median ratio() {
      double[] ratios = new double[size];
      for (int i = 0; i < size; i++) {
        ratios[i] = subject[i] / control[i];
      }
      return Median.of(ratios);
    }

    /** What the control allocated per call. */
    public Median controlBytes() {
      return Median.of(Arrays.copyOf(controlBytes, size));
    }

    /** What the subject allocated more per call than its neighbour. */
    public Median addedBytes() {
      return Median.of(Arrays.copyOf(addedBytes, size));
    }
  }
}
