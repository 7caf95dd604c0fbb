package io.waymark.core;

import java.util.List;

/**
 * Some of the members of a view: those that may serve one request. Immutable.
 *
 * <p>The members keep their order, which is the order of configuration. For up to 64 members the
 * chosen ones are bits of one {@code long}, so that filtering allocates nothing but this object,
 * which the compiler usually removes; above that the chosen ones are copied.
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

  /** The index of the first member that takes part, or -1. */
  public int first() {
    if (count == 0) {
      return -1;
    }
    return members.size() > MASKED ? 0 : Long.numberOfTrailingZeros(mask);
  }
}
