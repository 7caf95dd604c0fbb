package io.waymark.topology.routing;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Tells what differs between two views. */
final class Changes {
  private Changes() {}

  static BiConsumer<ShardView, ShardView> telling(Consumer<RoutingChange> listener) {
    return (before, after) -> {
      if (!before.all().isEmpty() && before.used().size() != after.used().size()) {
        listener.accept(new RoutingChange.Resized(before.used().size(), after.used().size()));
      }
      for (ShardCell shard : without(after.ejected(), before.ejected())) {
        int failures = shard.vitals().circuit().failures();
        listener.accept(new RoutingChange.Ejected(shard.name(), failures));
      }
      Set<ShardCell> used = new HashSet<>(after.used());
      for (ShardCell shard : without(before.ejected(), after.ejected())) {
        if (used.contains(shard)) {
          listener.accept(new RoutingChange.Returned(shard.name()));
        }
      }
    };
  }

  private static List<ShardCell> without(List<ShardCell> some, List<ShardCell> others) {
    return some.stream().filter(each -> !others.contains(each)).toList();
  }
}
