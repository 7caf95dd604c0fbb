package io.waymark.topology;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client believes of one group. Immutable; the transitions are pure. Times are readings of
 * the client's ticker, which may wrap around: they are compared by difference only.
 *
 * @param snapshot the last good one, for as long as nothing says that the group is gone
 * @param freshUntil when the snapshot expires; of no meaning without one
 * @param failure why the last read gave nothing to serve; null if it gave something
 * @param cause what the last read failed with, if it failed
 * @param retryAt when the store may be asked again after a failure; of no meaning without one
 * @param seen the stamps that were seen of this group
 */
record GroupView(
    @Nullable GroupSnapshot snapshot,
    long freshUntil,
    @Nullable UnavailableReason failure,
    @Nullable Throwable cause,
    long retryAt,
    HighWater seen) {

  /** Nothing was read yet. */
  static GroupView unread(HighWater seen) {
    return new GroupView(null, 0, null, null, 0, seen);
  }

  /** The snapshot, if it has not expired. */
  @Nullable GroupSnapshot fresh(long now) {
    return snapshot != null && freshUntil - now > 0 ? snapshot : null;
  }

  /** The last good snapshot, if it expired no longer ago than this and may stand in. */
  @Nullable GroupSnapshot stale(long now, long staleNanos) {
    return snapshot != null && now - freshUntil < staleNanos ? snapshot : null;
  }

  /** Whether the last read failed so recently that the store is left alone. */
  boolean isQuiet(long now) {
    return failure != null && retryAt - now > 0;
  }

  /**
   * After the store gave this.
   *
   * @param ttl gives the time that a snapshot stays fresh; asked once if it is needed
   * @param negative how long to wait before the store is asked again where it gave nothing to serve
   */
  GroupView given(Published published, long now, LongSupplier ttl, long negative) {
    HighWater.Verdict verdict = seen.judge(published.stamp());
    if (verdict == HighWater.Verdict.OLDER) {
      return outdated(now, negative);
    }
    HighWater highest = seen.with(published.stamp());
    if (published instanceof GroupSnapshot next) {
      // the same object for the same stamp, so that callers may compare by identity
      GroupSnapshot kept = snapshot != null && next.equals(snapshot) ? snapshot : next;
      return new GroupView(kept, now + ttl.getAsLong(), null, null, 0, highest);
    }
    return new GroupView(null, 0, UnavailableReason.DELETED, null, now + negative, highest);
  }

  /**
   * The store is behind what was seen: what is kept is served on, and the store asked again soon.
   */
  private GroupView outdated(long now, long negative) {
    return snapshot == null
        ? new GroupView(null, 0, UnavailableReason.OUTDATED, null, now + negative, seen)
        : new GroupView(snapshot, now + negative, null, null, 0, seen);
  }

  /** After the store said that it holds nothing. */
  GroupView missing(long now, long negative) {
    return new GroupView(null, 0, UnavailableReason.MISSING, null, now + negative, seen);
  }

  /** After a read that told nothing. */
  GroupView failed(UnavailableReason reason, Throwable cause, long now, long negative) {
    // what was being read for a reason, such as a push, is not believed for its whole time any more
    long until =
        snapshot != null && freshUntil - (now + negative) > 0 ? now + negative : freshUntil;
    return new GroupView(snapshot, until, reason, cause, now + negative, seen);
  }
}
