package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last load of each shard that was heard of, bounded, where shards are known by name only. The
 * lock is held for a look-up; no code of others runs under it.
 */
final class SeenLoads {
  private final ReentrantLock lock = new ReentrantLock();

  /** In the order in which they were stored; storing again moves a shard to the end. */
  private final LinkedHashMap<String, Observation> seen = new LinkedHashMap<>();

  private final Age age;
  private final int most;

  /** What counts as too old, and as newer. */
  private interface Age {
    boolean isExpired(Observation seen);

    boolean isNews(LoadSnapshot load, @Nullable Observation known);

    /** Whether what was stored earlier expires earlier. */
    boolean isInOrder();

    long now();
  }

  private SeenLoads(Age age, int most) {
    this.age = age;
    this.most = most;
  }

  /** Compares the shards' wall clocks with this one, as the published design does. */
  static SeenLoads byClocks(InstantSource clock, int most) {
    return new SeenLoads(
        new Age() {
          @Override
          public boolean isExpired(Observation seen) {
            LoadSnapshot load = seen.load();
            return clock.millis() - load.observedAt().toEpochMilli() >= load.window().toMillis();
          }

          @Override
          public boolean isNews(LoadSnapshot load, @Nullable Observation known) {
            return known == null || !load.observedAt().isBefore(known.load().observedAt());
          }

          @Override
          public boolean isInOrder() {
            return false;
          }

          @Override
          public long now() {
            return 0;
          }
        },
        most);
  }

  /** Goes by when a load arrived here, and by the shards' own numbers. */
  static SeenLoads byArrival(LongSupplier ticker, long windowNanos, int most) {
    return new SeenLoads(
        new Age() {
          @Override
          public boolean isExpired(Observation seen) {
            return ticker.getAsLong() - seen.receivedAt() >= windowNanos;
          }

          @Override
          public boolean isNews(LoadSnapshot load, @Nullable Observation known) {
            return Observation.isNews(load, known);
          }

          @Override
          public boolean isInOrder() {
            return true;
          }

          @Override
          public long now() {
            return ticker.getAsLong();
          }
        },
        most);
  }

  /** Drops what is too old. */
  void prune() {
    lock.lock();
    try {
      for (Iterator<Observation> all = seen.values().iterator(); all.hasNext(); ) {
        if (age.isExpired(all.next())) {
          all.remove();
        } else if (age.isInOrder()) {
          return;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Keeps this load unless it is older than what is known; the oldest shard makes room. */
  void record(String shard, LoadSnapshot load) {
    lock.lock();
    try {
      @Nullable Observation known = seen.get(shard);
      if (!age.isNews(load, known)) {
        return;
      }
      seen.remove(shard);
      seen.put(shard, Observation.of(load, age.now(), 0, known));
      if (seen.size() > most) {
        Iterator<String> oldest = seen.keySet().iterator();
        oldest.next();
        oldest.remove();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The load of a shard; null if none counts. */
  @Nullable LoadSnapshot get(String shard) {
    lock.lock();
    try {
      @Nullable Observation known = seen.get(shard);
      return known == null || age.isExpired(known) ? null : known.load();
    } finally {
      lock.unlock();
    }
  }

  /** A copy of all that count now. */
  Map<String, LoadSnapshot> all() {
    lock.lock();
    try {
      Map<String, LoadSnapshot> loads = new LinkedHashMap<>();
      seen.forEach(
          (shard, known) -> {
            if (!age.isExpired(known)) {
              loads.put(shard, known.load());
            }
          });
      return loads;
    } finally {
      lock.unlock();
    }
  }
}
