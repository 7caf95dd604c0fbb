package io.waymark.coordinator;

import io.waymark.topology.Published;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.Stamp;
import io.waymark.topology.WriteOutcome;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/** A store with any number of groups, all as the database has them, that keeps nothing. */
final class CountingPublisher implements SnapshotPublisher {
  private final int groups;
  private final String authority;
  final AtomicLong writes = new AtomicLong();

  /**
   * @param groups how many it tells of when it is swept
   */
  CountingPublisher(int groups, String authority) {
    this.groups = groups;
    this.authority = authority;
  }

  @Override
  public WriteOutcome write(Published published) {
    writes.incrementAndGet();
    return WriteOutcome.applied();
  }

  @Override
  public WriteOutcome replace(Stamp found, Published published) {
    return write(published);
  }

  @Override
  public boolean comparesStamps() {
    return true;
  }

  @Override
  public boolean canSweep() {
    return groups > 0;
  }

  @Override
  public void sweep(BiConsumer<String, Stamp> each) {
    for (int i = 0; i < groups; i++) {
      each.accept("group-" + i, new Stamp(authority, 1, 1));
    }
  }
}
