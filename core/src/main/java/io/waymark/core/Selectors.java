package io.waymark.core;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;

/**
 * The selectors that come with Waymark.
 *
 * <p>All allocate nothing. But for {@link #twoChoices} they are O(n) in the number of candidates
 * and break ties for the earlier member.
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

  /**
   * {@link #twoChoices(ToDoubleFunction, RandomGenerator)} with the calling thread's own random.
   */
  public static <M extends Member> Selector<M> twoChoices(ToDoubleFunction<? super M> cost) {
    return twoChoices(cost, () -> ThreadLocalRandom.current().nextLong());
  }

  /**
   * The better of two: two distinct candidates are drawn, each equally likely, and the one with the
   * lower cost wins; at equal costs the one that was drawn first, which is either with the same
   * probability. Constant time, whatever the number of candidates.
   *
   * <p>It keeps what the minimum of all loses when costs are a little old: many callers with the
   * same picture do not all go to the same member (Mitzenmacher, The Power of Two Choices in
   * Randomized Load Balancing, 1996; How Useful Is Old Information, 2000).
   *
   * <p>Where the two have different {@linkplain Member#weight weights}, costs are compared by
   * weight: {@code (cost + e) / weight}, where {@code e} is drawn for each anew from the
   * exponential distribution of mean 1. Among idle members that gives each its weight's part of the
   * draws, as the smallest of exponential variables does; without it the heavier of two would take
   * all as long as both are idle. Under load the costs decide.
   *
   * <p>A member in the slow start of its {@link Circuit} takes part in its share of the comparisons
   * with one that is not, and loses the others, whatever the costs; so it gets about its share of
   * what it would get otherwise, neither all because it is idle nor nothing because it counts for
   * little. Between two in slow start the costs decide.
   *
   * <p>A preview cannot tell what will be drawn: {@link Selector#peek} is the candidate with the
   * lowest cost by weight, which is the likeliest, and is O(n).
   *
   * @param cost what one more call to a member costs, in calls under way there; not negative. Asked
   *     for two members at each selection
   * @param random one {@code long} is drawn at each selection, and more where weights differ or in
   *     slow start; used by several threads at once
   */
  public static <M extends Member> Selector<M> twoChoices(
      ToDoubleFunction<? super M> cost, RandomGenerator random) {
    return new TwoChoices<>(cost, random);
  }

  private record TwoChoices<M extends Member>(
      ToDoubleFunction<? super M> cost, RandomGenerator random) implements Selector<M> {
    /** Where two in slow start meet, one time in eight it is looked whether it is over. */
    private static final int LOOKS = 7;

    @Override
    public int select(Candidates<M> candidates) {
      int count = candidates.count();
      if (count == 1) {
        return candidates.first();
      }
      long drawn = random.nextLong();
      int first = scaled(drawn >>> Integer.SIZE, count);
      int second = scaled(drawn & 0xffff_ffffL, count - 1);
      if (second >= first) {
        second++;
      }
      int one = candidates.nth(first);
      int other = candidates.nth(second);
      boolean looks = (drawn & LOOKS) == 0;
      return isBetter(candidates.get(other), candidates.get(one), looks) ? other : one;
    }

    /** A number below the bound from 32 random bits; of a thousand none is favoured by 10⁻⁶. */
    private static int scaled(long bits, int bound) {
      return (int) ((bits * bound) >>> Integer.SIZE);
    }

    private boolean isBetter(M other, M one, boolean looks) {
      Circuit circuitOfOther = other.vitals().circuit();
      Circuit circuitOfOne = one.vitals().circuit();
      boolean otherStarts = circuitOfOther.isStarting();
      boolean oneStarts = circuitOfOne.isStarting();
      if (otherStarts && oneStarts && looks) {
        circuitOfOther.share(); // somebody has to see that it is over; each look asks the clock
        circuitOfOne.share();
      } else if (otherStarts != oneStarts) {
        double share = otherStarts ? circuitOfOther.share() : circuitOfOne.share();
        if (random.nextDouble() >= share) {
          return !otherStarts;
        }
      }
      double costOfOther = cost.applyAsDouble(other);
      double costOfOne = cost.applyAsDouble(one);
      double weightOfOther = other.weight();
      double weightOfOne = one.weight();
      return weightOfOther == weightOfOne
          ? costOfOther < costOfOne
          : (costOfOther + random.nextExponential()) * weightOfOne
              < (costOfOne + random.nextExponential()) * weightOfOther;
    }

    @Override
    public int peek(Candidates<M> candidates) {
      int best = candidates.first();
      double lowest = Double.POSITIVE_INFINITY;
      for (int i = best; i < candidates.end(); i++) {
        if (candidates.has(i)) {
          M member = candidates.get(i);
          double expected =
              (cost.applyAsDouble(member) + 1)
                  / (member.weight() * member.vitals().circuit().share());
          if (expected < lowest) {
            best = i;
            lowest = expected;
          }
        }
      }
      return best;
    }
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
