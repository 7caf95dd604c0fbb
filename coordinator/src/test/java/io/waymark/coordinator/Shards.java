package io.waymark.coordinator;

import io.waymark.topology.Member;
import io.waymark.topology.Stamp;
import io.waymark.topology.StateUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Members that keep what they are told, and apply only what is newer. */
final class Shards implements StateDelivery<Limits> {
  /** Everything that arrived somewhere, in order. */
  record Arrival(String member, Limits value, Stamp stamp) {}

  private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();
  private final Map<String, StateUpdate<Limits>> applied = new ConcurrentHashMap<>();
  private final Map<String, Boolean> broken = new ConcurrentHashMap<>();

  @Override
  public void deliver(Member member, StateUpdate<Limits> update) {
    if (broken.containsKey(member.id())) {
      throw new IllegalStateException(member.id() + " is broken");
    }
    arrivals.add(new Arrival(member.id(), update.value(), update.stamp()));
    applied.merge(
        member.id(),
        update,
        (old, next) ->
            next.stamp().isNewerThan(old.stamp()) || !next.stamp().isComparableTo(old.stamp())
                ? next
                : old);
  }

  void breakOne(String member) {
    broken.put(member, true);
  }

  void mend(String member) {
    broken.remove(member);
  }

  @Nullable Limits of(String member) {
    StateUpdate<Limits> update = applied.get(member);
    return update == null ? null : update.value();
  }

  /** What arrived at one member. */
  List<Arrival> arrivals(String member) {
    List<Arrival> some = new ArrayList<>(arrivals);
    some.removeIf(each -> !each.member().equals(member));
    return some;
  }

  List<Arrival> arrivals() {
    return new ArrayList<>(arrivals);
  }
}
