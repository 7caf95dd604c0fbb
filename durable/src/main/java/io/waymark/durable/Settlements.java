package io.waymark.durable;

import io.waymark.durable.OutboxTable.Claim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/** Callers that wait for a value to be settled by this process. Thread safe. */
final class Settlements {
  private record Key(String channel, String key) {}

  /** Somebody who waits for this version or a newer one. */
  record Waiter(long version, CompletableFuture<Settlement> future) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Key, List<Waiter>> waiting = new HashMap<>();

  Waiter register(String channel, String key, long version) {
    Waiter waiter = new Waiter(version, new CompletableFuture<>());
    lock.lock();
    try {
      waiting.computeIfAbsent(new Key(channel, key), k -> new ArrayList<>()).add(waiter);
    } finally {
      lock.unlock();
    }
    return waiter;
  }

  void remove(String channel, String key, Waiter waiter) {
    Key place = new Key(channel, key);
    lock.lock();
    try {
      List<Waiter> some = waiting.get(place);
      if (some != null && some.remove(waiter) && some.isEmpty()) {
        waiting.remove(place);
      }
    } finally {
      lock.unlock();
    }
  }

  void delivered(Claim claim) {
    complete(claim, Settlement.of(Settlement.State.DELIVERED));
  }

  void notYet(Claim claim, String error) {
    complete(claim, new Settlement(Settlement.State.NOT_YET, Optional.of(error)));
  }

  private void complete(Claim claim, Settlement settlement) {
    List<Waiter> some;
    lock.lock();
    try {
      some = List.copyOf(waiting.getOrDefault(new Key(claim.channel(), claim.key()), List.of()));
    } finally {
      lock.unlock();
    }
    for (Waiter waiter : some) {
      if (waiter.version() <= claim.version()) {
        waiter.future().complete(settlement);
      }
    }
  }
}
