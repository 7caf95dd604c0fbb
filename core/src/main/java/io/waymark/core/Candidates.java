package io.waymark.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Some of the members of a view: those that may serve one request. Immutable.
 *
 * <p>The members keep their order, which is the order of configuration. Where all of them pass a
 * filter, which is the usual case, the object stays the same. Otherwise, for up to 64 members the
 * chosen ones are bits of one {@code long}; above that they are copied.
 *
 * @param <M> the members' type
 */
public final class Candidates<M extends Member> {
  /** Up to so many members a selection is a bit mask. */
  static final int MASKED = Long.SIZE;

  private final List<M> members;
  private final long mask;
  private final int count;

  private Candidates(List<M> members, long mask, int count) {
    this.members = members;
    this.mask = mask;
    this.count = count;
  }

  /** All of these members. */
  public static <M extends Member> Candidates<M> all(List<M> members) {
    int size = members.size();
    return new Candidates<>(members, size >= MASKED ? -1L : (1L << size) - 1, size);
  }

  /** The members whose bit is set. There are at most {@value #MASKED} members. */
  static <M extends Member> Candidates<M> masked(List<M> members, long mask) {
    return new Candidates<>(members, mask, Long.bitCount(mask));
  }

  /** Asks about a member with two arguments, so that no filter need be made for each call. */
  @FunctionalInterface
  interface Filter<M, A, B> {
    boolean passes(M member, A first, B second);
  }

  /** Those of them that also pass this; this very object where all do. Each is asked once. */
  <A, B> Candidates<M> where(Filter<? super M, A, B> filter, A first, B second) {
    if (members.size() > MASKED) {
      return whereCopied(filter, first, second);
    }
    long rest = 0;
    for (long left = mask; left != 0; left &= left - 1) {
      int index = Long.numberOfTrailingZeros(left);
      if (filter.passes(members.get(index), first, second)) {
        rest |= 1L << index;
      }
    }
    return rest == mask ? this : masked(members, rest);
  }

  private <A, B> Candidates<M> whereCopied(Filter<? super M, A, B> filter, A first, B second) {
    int passing = 0;
    while (passing < count && filter.passes(members.get(passing), first, second)) {
      passing++;
    }
    if (passing == count) {
      return this;
    }
    List<M> rest = new ArrayList<>(members.subList(0, passing));
    for (int i = passing + 1; i < count; i++) {
      if (filter.passes(members.get(i), first, second)) {
        rest.add(members.get(i));
      }
    }
    return all(rest);
  }

  /** How many members take part. */
  public int count() {
    return count;
  }

  /** One past the largest index. */
  public int end() {
    return members.size();
  }

  /** Whether the member at this index takes part. */
  public boolean has(int index) {
    return members.size() > MASKED || (mask >>> index & 1) != 0;
  }

  /** The member at this index; only meaningful where {@link #has} says so. */
  public M get(int index) {
    return members.get(index);
  }

  /**
   * The index of the member that takes part as number so and so, in constant time.
   *
   * @param number from 0 to {@link #count} - 1
   */
  int nth(int number) {
    if (count == members.size()) {
      return number;
    }
    int skip = number;
    int index = 0;
    long left = mask;
    for (int half = MASKED / 2; half > 0; half >>= 1) { // halves of halves, each counted at once
      int lower = Long.bitCount(left & (1L << half) - 1);
      if (skip >= lower) {
        skip -= lower;
        index += half;
        left >>>= half;
      }
    }
    return index;
  }

  /** The index of the first member that takes part, or -1. */
  public int first() {
    if (count == 0) {
      return -1;
    }
    return members.size() > MASKED ? 0 : Long.numberOfTrailingZeros(mask);
  }
}
