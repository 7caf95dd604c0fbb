package io.waymark.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The newest stamps that were seen of one thing: of each of the last few authorities the highest,
 * the latest authority first. It is the one rule by which readers and receivers take what is new
 * and leave what is old.
 *
 * <p>Within one authority only what is newer is taken. An authority that was not seen before is
 * taken, whatever its numbers are: it is not older, it is another. One that was followed by another
 * comes back only with a higher epoch than it had: a coordinator that takes a group back raises its
 * epoch, and what was still under way when it lost the group carries the old one.
 *
 * <p>Immutable.
 */
record HighWater(List<Stamp> stamps) {
  static final HighWater NONE = new HighWater(List.of());

  /** Groups move rarely. What is forgotten is the authority that was left longest ago. */
  private static final int MOST_AUTHORITIES = 4;

  /** No name holds it. */
  private static final String SEPARATOR = "\n";

  /** How a stamp stands to those that were seen. */
  enum Verdict {
    /** To be taken. */
    NEWER,
    /** The one that was taken last. */
    SAME,
    /** To be left. */
    OLDER
  }

  HighWater {
    stamps = List.copyOf(stamps);
  }

  /**
   * As {@link #text} gave it.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  static HighWater parse(String text) {
    return new HighWater(Arrays.stream(text.split(SEPARATOR, -1)).map(Stamp::parse).toList());
  }

  /** The stamps, in their order. */
  String text() {
    return stamps.stream().map(Stamp::toString).collect(Collectors.joining(SEPARATOR));
  }

  Verdict judge(Stamp stamp) {
    if (!stamps.isEmpty() && stamps.get(0).equals(stamp)) {
      return Verdict.SAME;
    }
    for (int i = 0; i < stamps.size(); i++) {
      Stamp seen = stamps.get(i);
      if (stamp.isComparableTo(seen)) {
        boolean newer = i == 0 ? stamp.isNewerThan(seen) : stamp.epoch() > seen.epoch();
        return newer ? Verdict.NEWER : Verdict.OLDER;
      }
    }
    return Verdict.NEWER;
  }

  /** With this stamp, if it is newer; else the same. */
  HighWater with(Stamp stamp) {
    if (judge(stamp) != Verdict.NEWER) {
      return this;
    }
    List<Stamp> latest = new ArrayList<>(stamps.size() + 1);
    latest.add(stamp);
    for (Stamp seen : stamps) {
      if (!stamp.isComparableTo(seen) && latest.size() < MOST_AUTHORITIES) {
        latest.add(seen);
      }
    }
    return new HighWater(latest);
  }
}
