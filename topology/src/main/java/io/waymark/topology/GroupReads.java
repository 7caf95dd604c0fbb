package io.waymark.topology;

import static java.util.Objects.requireNonNull;

import io.waymark.topology.HighWater.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a client keeps of groups, and how it gets there: one read per group at a time, by the
 * callers, by what the store pushes, and again for all groups after the push was interrupted.
 *
 * <p>No user code runs here; it may run on the reader's threads.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what would be lost is handled where it completes
final class GroupReads implements SnapshotListener {
  private static final Logger LOG = LoggerFactory.getLogger(GroupReads.class);

  /** A store that tells of changes without a pause is read this often, and never less. */
  private static final Executor SOON = CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS);

  private static final double SHORTEST_TTL = 0.8;
  private static final double TTL_SPREAD = 0.4;
  private static final double NEGATIVE_SPREAD = 0.2;

  private final SnapshotReader reader;
  private final Tallies tallies;
  private final BiConsumer<GroupView, GroupView> onSwap;
  private final LongSupplier ticker;
  private final RandomGenerator random;
  private final long ttlNanos;
  private final long negativeNanos;
  private final long timeoutNanos;
  private final long ahead;
  private final BoundedMap<CachedGroup> groups;
  private final BoundedMap<AtomicReference<HighWater>> marks;

  /** Null while changes are told; else why they are not. */
  private volatile @Nullable String silent = "not begun";

  /**
   * @param onSwap is told of each view that takes another's place
   */
  GroupReads(
      SnapshotReader reader,
      TopologyClientConfig config,
      Tallies tallies,
      BiConsumer<GroupView, GroupView> onSwap) {
    this.reader = reader;
    this.tallies = tallies;
    this.onSwap = onSwap;
    this.ticker = config.ticker();
    this.random = config.random();
    this.ttlNanos = config.ttl().toNanos();
    this.negativeNanos = config.negativeTtl().toNanos();
    this.timeoutNanos = config.readTimeout().toNanos();
    this.ahead = config.refreshAhead().toNanos();
    this.groups = new BoundedMap<>(config.maxGroups(), CachedGroup::isBeingRead);
    this.marks = new BoundedMap<>(config.highWaterGroups(), mark -> false);
  }

  /** The group, if it is kept. */
  @Nullable CachedGroup find(String name) {
    return groups.get(name);
  }

  /** The group, if it is kept; does not count as use. */
  @Nullable CachedGroup peek(String name) {
    return groups.peek(name);
  }

  /**
   * The group.
   *
   * @throws IllegalArgumentException if no group can have that name
   */
  CachedGroup group(String name) {
    CachedGroup found = groups.get(name);
    return found != null ? found : groups.getOrMake(Names.check("group", name), this::make);
  }

  private CachedGroup make(String name) {
    AtomicReference<HighWater> mark = marks.get(name);
    CachedGroup made =
        new CachedGroup(name, mark == null ? HighWater.NONE : mark.get(), this::start);
    made.live().onChange((before, after) -> swapped(name, before, after));
    return made;
  }

  private void swapped(String name, GroupView before, GroupView after) {
    if (!after.seen().equals(before.seen())) {
      Stamp latest = after.seen().stamps().get(0);
      marks
          .getOrMake(name, n -> new AtomicReference<>(HighWater.NONE))
          .updateAndGet(seen -> seen.stamps().isEmpty() ? after.seen() : seen.with(latest));
    }
    onSwap.accept(before, after);
  }

  private void start(CachedGroup group) {
    GroupView view = group.view();
    if (isAnswered(view) && !group.isToldAfterLastRead()) {
      group.settled(view); // another read ended between the asker's look and its question
      return;
    }
    tallies.read();
    long changes = group.changes();
    group.begins(changes);
    CompletableFuture<Optional<String>> answer = ask(group.name());
    if (answer.isDone()) {
      answer.whenComplete((found, error) -> settle(group, changes, view(group, found, error)));
      return;
    }
    CompletableFuture<Optional<String>> bounded =
        answer.copy().orTimeout(timeoutNanos, TimeUnit.NANOSECONDS);
    bounded.whenComplete((found, error) -> settle(group, changes, view(group, found, error)));
    answer.thenAccept(found -> late(group, bounded, found));
  }

  private boolean isAnswered(GroupView view) {
    long now = now();
    return view.isQuiet(now) || (view.fresh(now) != null && view.freshUntil() - ahead - now > 0);
  }

  @SuppressWarnings("CatchThrowable") // a reader that throws has failed as one that answers so
  private CompletableFuture<Optional<String>> ask(String name) {
    try {
      return reader
          .read(name)
          .toCompletableFuture()
          .thenApply(found -> requireNonNull(found, "the reader gave no answer"));
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private GroupView view(CachedGroup group, Optional<String> found, @Nullable Throwable error) {
    try {
      return error == null ? answered(group, found) : failed(group, error);
    } catch (RuntimeException e) {
      return failed(group, e); // whatever it is: those who wait must not wait for ever
    }
  }

  private void settle(CachedGroup group, long changes, GroupView after) {
    group.settled(after);
    if (group.changes() != changes) {
      SOON.execute(group::read); // it changed while it was being read
    }
  }

  /** An answer after the timeout: its asker has gone, but it is still the newest that is known. */
  private void late(
      CachedGroup group, CompletableFuture<Optional<String>> bounded, Optional<String> found) {
    if (found.isPresent() && bounded.isCompletedExceptionally()) {
      answered(group, found);
    }
  }

  private GroupView answered(CachedGroup group, Optional<String> found) {
    if (found.isEmpty()) {
      tallies.failed(UnavailableReason.MISSING);
      return group.live().swap(view -> view.missing(now(), negative()));
    }
    Published published;
    try {
      published = SnapshotCodec.decode(group.name(), found.get());
    } catch (InvalidSnapshotException e) {
      LOG.warn("{}", e.getMessage());
      tallies.failed(UnavailableReason.INVALID);
      return group
          .live()
          .swap(view -> view.failed(UnavailableReason.INVALID, e, now(), negative()));
    }
    GroupView before = group.view();
    if (before.seen().judge(published.stamp()) == Verdict.OLDER) {
      tallies.older();
    }
    GroupView after =
        group.live().swap(view -> view.given(published, now(), this::ttl, negative()));
    if (after.failure() != null) {
      tallies.failed(after.failure());
    }
    return after;
  }

  private GroupView failed(CachedGroup group, Throwable error) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    UnavailableReason reason =
        cause instanceof TimeoutException ? UnavailableReason.TIMEOUT : UnavailableReason.FAILED;
    LOG.debug("group {} could not be read", group.name(), cause);
    tallies.failed(reason);
    return group.live().swap(view -> view.failed(reason, cause, now(), negative()));
  }

  private long now() {
    return ticker.getAsLong();
  }

  private long ttl() {
    return (long) (ttlNanos * (SHORTEST_TTL + TTL_SPREAD * random.nextDouble()));
  }

  /** Never shorter than configured: that long the store is left alone. */
  private long negative() {
    return (long) (negativeNanos * (1 + NEGATIVE_SPREAD * random.nextDouble()));
  }

  @Override
  public void changed(String name, @Nullable Stamp stamp) {
    tallies.pushed();
    CachedGroup group = groups.peek(name);
    if (group == null || (stamp != null && isServed(group.view(), stamp))) {
      return;
    }
    group.readAgain();
  }

  /**
   * Whether what is served is as new as this. Where nothing is to be served the same stamp is news:
   * a store that had forgotten was filled again.
   */
  private static boolean isServed(GroupView view, Stamp stamp) {
    return view.failure() == null && view.seen().judge(stamp) != Verdict.NEWER;
  }

  @Override
  public void listening() {
    silent = null;
    List<CachedGroup> all = new ArrayList<>();
    groups.forEach(all::add);
    new Resync(all).run();
  }

  @Override
  public void interrupted(String why) {
    silent = why;
  }

  /** Why changes are not told; null while they are. */
  @Nullable String silent() {
    return silent;
  }

  void clear() {
    groups.clear();
  }

  int size() {
    return groups.size();
  }

  long groupEvictions() {
    return groups.evictions();
  }

  long markEvictions() {
    return marks.evictions();
  }
}
