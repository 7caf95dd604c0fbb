package io.waymark.topology;

import java.util.ArrayList;
import java.util.List;

/** Makes lists of members. */
public final class Members {
  private Members() {}

  /**
   * Active members named after their group, by a number from 0: {@code acme-0}, {@code acme-1} and
   * so on. Anyone can derive them without asking, which makes them a {@linkplain
   * TopologyClientBuilder#seed seed} where groups start with a known number of members.
   *
   * @param group the group's name
   * @param count how many; at least 1 and at most {@value GroupSnapshot#MOST_MEMBERS}
   * @throws IllegalArgumentException if the count is outside of that
   */
  public static List<Member> numbered(String group, int count) {
    if (count < 1 || count > GroupSnapshot.MOST_MEMBERS) {
      throw new IllegalArgumentException(
          "a group has from 1 to " + GroupSnapshot.MOST_MEMBERS + " members, not " + count);
    }
    List<Member> members = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      members.add(Member.active(group + "-" + i));
    }
    return members;
  }
}
