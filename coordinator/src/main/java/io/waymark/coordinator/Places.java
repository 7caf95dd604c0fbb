package io.waymark.coordinator;

import io.waymark.topology.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the rows of members stand, so that adding or removing one leaves the others' rows alone.
 */
final class Places {
  private Places() {}

  /** The places for a new list of members: the old ones if those are still in order. */
  static List<Integer> of(List<StoredGroup.Row> before, List<Member> next) {
    Map<String, Integer> old = new HashMap<>();
    before.forEach(row -> old.put(row.member().id(), row.place()));
    List<Integer> places = new ArrayList<>(next.size());
    int last = before.isEmpty() ? -1 : before.get(before.size() - 1).place();
    int highest = -1;
    boolean atEnd = false;
    for (Member member : next) {
      Integer place = old.get(member.id());
      if (place == null) {
        atEnd = true;
        highest = Math.max(highest, last) + 1;
      } else if (atEnd || place <= highest) {
        return fresh(next.size());
      } else {
        highest = place;
      }
      places.add(highest);
    }
    return highest > Integer.MAX_VALUE / 2 ? fresh(next.size()) : places;
  }

  private static List<Integer> fresh(int count) {
    List<Integer> places = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      places.add(i);
    }
    return places;
  }
}
