package io.waymark.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Gives each key a member, or an order of all members, so that all who know the same members agree
 * without talking. A member that leaves moves its own keys only, and one that joins takes keys and
 * moves none between others; the same holds for a weight that falls or rises. Of the {@code k} best
 * members of a key at most one changes with each member that joins or leaves. The order in which
 * members are given does not matter.
 *
 * <p>Each member has a score for each key, a hash of both; the highest wins (David Thaler, Chinya
 * Ravishankar: Using Name-Based Mappings to Increase Hit Rates, 1998). With weights {@code w} it is
 * {@code -w / ln(hash)} with the hash as a fraction of 1 (Jason Resch: New Hashing Algorithms for
 * Data Storage, SNIA 2015), which gives each member the share of its weight.
 *
 * <p>Immutable and thread safe. A pick takes O(n) and allocates nothing.
 *
 * @param <M> the members' type
 */
public final class Rendezvous<M> {
  private final List<M> members;
  private final long[] hashes;

  /** By place; empty if all are the same. */
  private final double[] weights;

  private Rendezvous(List<M> members, long[] hashes, double[] weights) {
    this.members = members;
    this.hashes = hashes;
    this.weights = weights;
  }

  /**
   * Over names that weigh the same.
   *
   * @throws IllegalArgumentException if there are none, or one twice
   */
  public static Rendezvous<String> of(List<String> names) {
    return of(names, name -> name, name -> 1);
  }

  /**
   * Over members with weights.
   *
   * @param members at least one, in any order
   * @param name what a member is known by, unique among them
   * @param weight its share in comparison with the others, positive and finite; members that weigh
   *     the same are picked faster
   * @throws IllegalArgumentException if there are none, a name occurs twice or a weight is no
   *     weight
   */
  public static <M> Rendezvous<M> of(
      List<? extends M> members,
      Function<? super M, String> name,
      ToDoubleFunction<? super M> weight) {
    // By name, so that where scores are equal all agree too.
    List<M> sorted = new ArrayList<>(members);
    sorted.sort(Comparator.comparing(name));
    if (sorted.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one member");
    }
    long[] hashes = new long[sorted.size()];
    double[] weights = new double[sorted.size()];
    String last = null;
    for (int i = 0; i < hashes.length; i++) {
      String its = name.apply(sorted.get(i));
      if (its.equals(last)) {
        throw new IllegalArgumentException("member \"" + its + "\" occurs twice");
      }
      last = its;
      hashes[i] = StableHash.of(its);
      weights[i] = weight.applyAsDouble(sorted.get(i));
      if (!(weights[i] > 0 && weights[i] <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "the weight of \"" + its + "\" must be positive and finite, was " + weights[i]);
      }
    }
    double first = weights[0];
    boolean alike = Arrays.stream(weights).allMatch(each -> each == first);
    return new Rendezvous<>(List.copyOf(sorted), hashes, alike ? new double[0] : weights);
  }

  /** The members, by name. */
  public List<M> members() {
    return members;
  }

  /** The member of a key. */
  public M pick(CharSequence key) {
    return pick(StableHash.of(key));
  }

  /** The member of a key; numbers that are near each other are not more alike than others. */
  public M pick(long key) {
    long mixed = StableHash.mixed(key);
    int best = 0;
    long highest = score(0, mixed);
    for (int i = 1; i < hashes.length; i++) {
      long score = score(i, mixed);
      if (score > highest) {
        best = i;
        highest = score;
      }
    }
    return members.get(best);
  }

  /**
   * The members with the highest scores for a key, the best first: a subset for a client whose key
   * this is. The first is the one that {@link #pick(CharSequence)} gives.
   *
   * @param count how many, at least 1; all where there are not more
   * @throws IllegalArgumentException if the count is below 1
   */
  public List<M> best(CharSequence key, int count) {
    return best(StableHash.of(key), count);
  }

  /**
   * The members with the highest scores for a key, the best first.
   *
   * @param count how many, at least 1; all where there are not more
   * @throws IllegalArgumentException if the count is below 1
   */
  public List<M> best(long key, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    long mixed = StableHash.mixed(key);
    int[] best = new int[Math.min(count, hashes.length)];
    long[] scores = new long[best.length];
    int found = 0;
    for (int i = 0; i < hashes.length; i++) {
      long score = score(i, mixed);
      int at = found < best.length ? found++ : score > scores[found - 1] ? found - 1 : found;
      for (; at > 0 && at < best.length && score > scores[at - 1]; at--) {
        best[at] = best[at - 1];
        scores[at] = scores[at - 1];
      }
      if (at < best.length) {
        best[at] = i;
        scores[at] = score;
      }
    }
    return Arrays.stream(best).mapToObj(members::get).toList();
  }

  /** Never negative. */
  private long score(int member, long key) {
    long hash = StableHash.mixed(key ^ hashes[member]);
    if (weights.length == 0) {
      return hash >>> 1;
    }
    double fraction = ((hash >>> 11) + 0.5) * 0x1.0p-53;
    // StrictMath: processes on different machines must agree to the last bit. The bits of positive
    // doubles are ordered as they are.
    return Double.doubleToRawLongBits(-weights[member] / StrictMath.log(fraction));
  }

  @Override
  public String toString() {
    return "Rendezvous" + members;
  }
}
