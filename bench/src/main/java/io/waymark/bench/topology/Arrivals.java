package io.waymark.bench.topology;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** Tells when the last of all readers has seen a change. Thread safe. */
final class Arrivals {
  private record Wave(long number, AtomicInteger missing, CompletableFuture<Long> last) {}

  private final int readers;
  private final AtomicLongArray newest;
  private volatile Wave wave;

  Arrivals(int readers) {
    this.readers = readers;
    this.newest = new AtomicLongArray(readers);
    this.wave = new Wave(0, new AtomicInteger(readers), new CompletableFuture<>());
  }

  /**
   * Begins to wait for a change that was not made yet.
   *
   * @param number higher than any before
   * @return when the last reader has it, by {@link System#nanoTime}
   */
  CompletableFuture<Long> expect(long number) {
    Wave next = new Wave(number, new AtomicInteger(readers), new CompletableFuture<>());
    wave = next;
    return next.last();
  }

  /** A reader has this change, or a later one. */
  void seen(int reader, long number) {
    long before = newest.getAndAccumulate(reader, number, Math::max);
    Wave now = wave;
    if (before < now.number() && number >= now.number() && now.missing().decrementAndGet() == 0) {
      now.last().complete(System.nanoTime());
    }
  }
}
