package io.waymark.topology;

import io.waymark.topology.HighWater.Verdict;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Holds one state of one member in memory, and replaces it only by a newer one.
 *
 * <p>What is held is gone with the process, while the coordinator goes on counting it as delivered:
 * use {@link JdbcStateReceiver} where a member outlives its process. This one is for members that
 * join under a new id each time that they start, and for tests.
 *
 * <p>Thread safe; takes no lock.
 *
 * @param <T> the type of the value
 */
public final class MemoryStateReceiver<T> {
  private record Held<T>(@Nullable StateUpdate<T> update, HighWater seen) {}

  private final AtomicReference<Held<T>> held =
      new AtomicReference<>(new Held<>(null, HighWater.NONE));

  /** Holds nothing at first. */
  public MemoryStateReceiver() {}

  /**
   * Holds the update if it is newer: issued later by the same authority, or by an authority that
   * was not seen before, or by one that comes back with a higher epoch than it had.
   *
   * @throws IllegalArgumentException if its stamp is {@link Stamp#LOCAL}
   */
  public Reception apply(StateUpdate<T> update) {
    while (true) {
      Held<T> before = held.get();
      Verdict verdict = Reception.judge(before.seen(), update);
      if (verdict != Verdict.NEWER
          || held.compareAndSet(before, new Held<>(update, before.seen().with(update.stamp())))) {
        return Reception.of(verdict);
      }
    }
  }

  /** What was applied last; empty before the first. */
  public Optional<StateUpdate<T>> current() {
    return Optional.ofNullable(held.get().update());
  }

  /** The stamp of what is held; the value may be secret. */
  @Override
  public String toString() {
    return current().map(StateUpdate::toString).orElse("nothing");
  }
}
