package io.waymark.topology;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Reads groups again by key after changes may have been missed, a few at once. */
final class Resync {
  private static final int AT_ONCE = 8;

  private final Queue<CachedGroup> left;

  Resync(Collection<CachedGroup> groups) {
    this.left = new ConcurrentLinkedQueue<>(groups);
  }

  void run() {
    for (int i = 0; i < AT_ONCE; i++) {
      next();
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a read ends with a view, also when it fails
  private void next() {
    for (CachedGroup group = left.poll(); group != null; group = left.poll()) {
      CompletableFuture<GroupView> reading = group.readAgain();
      if (!reading.isDone()) {
        reading.whenComplete((view, error) -> next());
        return;
      }
    }
  }
}
