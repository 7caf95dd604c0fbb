package io.waymark.topology;

import io.waymark.core.LiveView;
import io.waymark.core.SingleFlight;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** One group in a client: the view of it, and the read that all who need one share. */
final class CachedGroup {
  private final String name;
  private final LiveView<GroupView> live;
  private final SingleFlight<GroupView> flight;

  /** Counts what was told to have changed, so that a read can tell whether it began before that. */
  private final AtomicLong changes = new AtomicLong();

  /** Of these, how many were told before the last read began. */
  private volatile long changesRead;

  /**
   * @param start begins a read and {@linkplain #settled ends} it later, or at once
   */
  CachedGroup(String name, HighWater seen, Consumer<CachedGroup> start) {
    this.name = name;
    this.live = new LiveView<>(GroupView.unread(seen));
    this.flight = new SingleFlight<>(() -> start.accept(this));
  }

  String name() {
    return name;
  }

  LiveView<GroupView> live() {
    return live;
  }

  GroupView view() {
    return live.current();
  }

  long changes() {
    return changes.get();
  }

  /** A read of the store begins, after so many changes. */
  void begins(long changesBefore) {
    changesRead = changesBefore;
  }

  /** Whether something was told to have changed that no read was begun for. */
  boolean isToldAfterLastRead() {
    return changes.get() != changesRead;
  }

  boolean isBeingRead() {
    return flight.isWanted();
  }

  /** The view after the read that is under way, or after one that begins now. */
  CompletableFuture<GroupView> read() {
    return flight.ask();
  }

  /** Lets a read begin that nobody waits for. */
  @SuppressWarnings("FutureReturnValueIgnored") // what it brings is in the view
  void readAhead() {
    flight.ask();
  }

  /** As {@link #read}, and a read that began before now is followed by another. */
  CompletableFuture<GroupView> readAgain() {
    changes.incrementAndGet();
    return flight.ask();
  }

  /** The read has ended: whoever joined it meanwhile hears of the view. */
  void settled(GroupView after) {
    // The question is closed only now, not when the read began: an answer that is a moment older
    // than its asker is what a cache is for. Who needs a later one says so with readAgain.
    flight.start().complete(after);
  }
}
