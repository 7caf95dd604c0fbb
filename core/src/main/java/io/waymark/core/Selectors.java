package io.waymark.core;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;

/**
 * The selectors that come with Waymark.
 *
 * <p>All are O(n) in the number of candidates, allocate nothing, and break ties for the earlier
 * member.
 */
public final class Selectors {
  private Selectors() {}

  /**
   * Smooth weighted round robin, as nginx has it: each candidate's running weight grows by its
   * configured weight; the largest wins and loses the sum of the weights that took part. Equal
   * weights take turns in the order of configuration. A member that did not take part starts over,
   * so that one that returns cannot jump the queue.
   */
  public static <M extends Member> Selector<M> weighted() {
    return new SmoothWeighted<>();
  }

  /**
   * The next candidate after the previous pick, in the order of configuration; a member that is
   * missing for a while does not reset the rotation.
   */
  public static <M extends Member> Selector<M> roundRobin() {
    return new RoundRobin<>();
  }

  /** The candidate with the fewest calls in flight. */
  public static <M extends Member> Selector<M> fewestInFlight() {
    return new Least<>(
        candidates -> {
          int best = candidates.first();
          for (int i = best + 1; i < candidates.end(); i++) {
            if (candidates.has(i)
                && candidates.get(i).vitals().inFlight()
                    < candidates.get(best).vitals().inFlight()) {
              best = i;
            }
          }
          return best;
        });
  }

  /**
   * The candidate with the lowest average latency; one without a sample loses to one that has one.
   */
  public static <M extends Member> Selector<M> lowestLatency() {
    return new Least<>(
        candidates -> {
          int best = candidates.first();
          double lowest = Double.NaN;
          for (int i = best; i < candidates.end(); i++) {
            if (candidates.has(i)) {
              double latency = candidates.get(i).vitals().latencyNanos();
              if (latency < lowest || (Double.isNaN(lowest) && !Double.isNaN(latency))) {
                best = i;
                lowest = latency;
              }
            }
          }
          return best;
        });
  }

  /** A selector without memory. */
  private record Least<M extends Member>(ToIntFunction<Candidates<M>> best) implements Selector<M> {
    @Override
    public int select(Candidates<M> candidates) {
      return best.applyAsInt(candidates);
    }

    @Override
    public int peek(Candidates<M> candidates) {
      return best.applyAsInt(candidates);
    }
  }

  private static final class RoundRobin<M extends Member> implements Selector<M> {
    private final AtomicInteger lastOrdinal = new AtomicInteger(-1);

    @Override
    public int select(Candidates<M> candidates) {
      int last;
      int next;
      do {
        last = lastOrdinal.get();
        next = after(last, candidates);
      } while (!lastOrdinal.compareAndSet(last, candidates.get(next).ordinal()));
      return next;
    }

    @Override
    public int peek(Candidates<M> candidates) {
      return after(lastOrdinal.get(), candidates);
    }

    private int after(int ordinal, Candidates<M> candidates) {
      for (int i = candidates.first(); i < candidates.end(); i++) {
        if (candidates.has(i) && candidates.get(i).ordinal() > ordinal) {
          return i;
        }
      }
      return candidates.first();
    }
  }

  private static final class SmoothWeighted<M extends Member> implements Selector<M> {
    /** Held for one pass over the candidates: there is no lock-free form that keeps the order. */
    private final ReentrantLock lock = new ReentrantLock();

    /** By ordinal. */
    private double[] running = new double[0];

    /** By ordinal: the turn in which the member took part last. */
    private long[] lastTurn = new long[0];

    private long turn;

    @Override
    public int select(Candidates<M> candidates) {
      lock.lock();
      try {
        ensureRoomFor(candidates);
        int best = best(candidates);
        double total = 0;
        for (int i = candidates.first(); i < candidates.end(); i++) {
          if (candidates.has(i)) {
            M member = candidates.get(i);
            running[member.ordinal()] = grown(member);
            lastTurn[member.ordinal()] = turn + 1;
            total += member.weight();
          }
        }
        running[candidates.get(best).ordinal()] -= total;
        turn++;
        return best;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public int peek(Candidates<M> candidates) {
      lock.lock();
      try {
        ensureRoomFor(candidates);
        return best(candidates);
      } finally {
        lock.unlock();
      }
    }

    private int best(Candidates<M> candidates) {
      int best = candidates.first();
      double largest = grown(candidates.get(best));
      for (int i = best + 1; i < candidates.end(); i++) {
        if (candidates.has(i)) {
          double weight = grown(candidates.get(i));
          if (weight > largest) {
            best = i;
            largest = weight;
          }
        }
      }
      return best;
    }

    private double grown(M member) {
      int ordinal = member.ordinal();
      return (lastTurn[ordinal] == turn ? running[ordinal] : 0) + member.weight();
    }

    private void ensureRoomFor(Candidates<M> candidates) {
      int needed = candidates.get(lastIndex(candidates)).ordinal() + 1;
      if (needed > running.length) {
        running = Arrays.copyOf(running, needed);
        lastTurn = Arrays.copyOf(lastTurn, needed);
      }
    }

    private int lastIndex(Candidates<M> candidates) {
      int last = candidates.end() - 1;
      while (!candidates.has(last)) {
        last--;
      }
      return last;
    }
  }
}
