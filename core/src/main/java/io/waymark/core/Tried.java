package io.waymark.core;

import java.util.BitSet;

/**
 * What has been tried for one request so far: which members failed it, and which were asked for
 * evidence. Immutable.
 */
public final class Tried {
  /** Nothing yet. */
  public static final Tried NOTHING = new Tried(new BitSet(0), new BitSet(0), -1);

  private final BitSet failed;
  private final BitSet asked;

  private final int lastAsked;

  private Tried(BitSet failed, BitSet asked, int lastAsked) {
    this.failed = failed;
    this.asked = asked;
    this.lastAsked = lastAsked;
  }

  /** The same, and this member failed. */
  public Tried failed(Member member) {
    return new Tried(with(failed, member), asked, lastAsked);
  }

  /** The same, and this member was asked for evidence. */
  public Tried asked(Member member) {
    return new Tried(failed, with(asked, member), member.ordinal());
  }

  /** Whether this member failed the request. */
  public boolean hasFailed(Member member) {
    return this != NOTHING && failed.get(member.ordinal());
  }

  /** Whether this member was asked for evidence. */
  public boolean wasAsked(Member member) {
    return this != NOTHING && asked.get(member.ordinal());
  }

  /** Whether this member was the last to be asked for evidence. */
  public boolean wasAskedLast(Member member) {
    return lastAsked == member.ordinal();
  }

  /** How many members failed the request. */
  public int failures() {
    return failed.cardinality();
  }

  private static BitSet with(BitSet set, Member member) {
    BitSet copy = (BitSet) set.clone();
    copy.set(member.ordinal());
    return copy;
  }

  @Override
  public String toString() {
    return "Tried[failed=" + failed + ", asked=" + asked + "]";
  }
}
