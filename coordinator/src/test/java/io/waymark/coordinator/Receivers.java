package io.waymark.coordinator;

import io.waymark.topology.Member;
import io.waymark.topology.Stamp;
import io.waymark.topology.StateUpdate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Members that keep what they are told by the rule of {@link StateUpdate}, whoever tells them. */
final class Receivers {
  private record Place(String channel, String member) {}

  private record Told(String channel, String member, Stamp stamp) {}

  private final Map<Place, StateUpdate<Integer>> kept = new ConcurrentHashMap<>();
  private final Map<Told, Integer> told = new ConcurrentHashMap<>();

  /** What must never be. */
  final List<String> violations = new CopyOnWriteArrayList<>();

  /** How one process reaches the members. */
  StateDelivery<Integer> from(ProcessGate gate, Mishaps mishaps, String channel) {
    return (member, update) -> {
      gate.pass("deliver");
      send(mishaps, channel, member, update);
      gate.pass("delivered");
    };
  }

  private void send(Mishaps mishaps, String channel, Member member, StateUpdate<Integer> update) {
    Mishaps.Mishap mishap = mishaps.next();
    Runnable effect = () -> arrives(channel, member.id(), update);
    switch (mishap) {
      case NONE -> {
        effect.run();
        return;
      }
      case UNANSWERED -> effect.run();
      case LATE -> mishaps.later(channel + " of " + member.id() + " " + update, effect);
      case HANGING -> {
        mishaps.later(channel + " of " + member.id() + " " + update, effect);
        Mishaps.hang();
      }
      case REFUSED, LOST -> {}
    }
    throw new IllegalStateException(mishap.name());
  }

  private void arrives(String channel, String member, StateUpdate<Integer> update) {
    Integer before = told.putIfAbsent(new Told(channel, member, update.stamp()), update.value());
    if (before != null && !before.equals(update.value())) {
      violations.add(
          member
              + " was told of "
              + channel
              + " "
              + before
              + ", then "
              + update.value()
              + " as "
              + update.stamp());
    }
    kept.merge(
        new Place(channel, member),
        update,
        (old, next) ->
            next.stamp().isNewerThan(old.stamp()) || !next.stamp().isComparableTo(old.stamp())
                ? next
                : old);
  }

  @Nullable Integer value(String channel, String member) {
    StateUpdate<Integer> update = kept.get(new Place(channel, member));
    return update == null ? null : update.value();
  }

  String describe(String channel, String member) {
    StateUpdate<Integer> update = kept.get(new Place(channel, member));
    return update == null ? "nothing" : update.value() + " as " + update.stamp();
  }
}
