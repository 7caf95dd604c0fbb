package io.waymark.topology;

import io.waymark.core.WaymarkException;
import io.waymark.topology.FallbackEvent.Source;
import io.waymark.topology.GroupStatus.Next;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells callers who the members of a group are, from what the group's coordinator published. It
 * never speaks to the coordinator.
 *
 * <p>A snapshot is kept for a time to live; a call that finds it fresh reads one reference. When it
 * has expired, one read of the store is shared by all who need it. Where the store pushes, a change
 * is here within milliseconds; whatever the push misses, the time to live repairs.
 *
 * <p>A snapshot is never replaced by an older one of the same authority, wherever that came from,
 * for as long as its stamp is remembered: longer than the snapshot itself is kept. The snapshot of
 * another authority is taken, since it is not older but different; an authority that was left comes
 * back only with a higher epoch.
 *
 * <p>When the store holds no snapshot, or cannot be read, the answer is {@link
 * TopologyUnavailableException}, unless a fallback was asked for. In this order: the last good
 * snapshot for a while ({@link TopologyClientBuilder#staleIfError}, never for a group that is
 * missing or deleted), members derived locally ({@link TopologyClientBuilder#seed}), the
 * application's own function ({@link TopologyClientBuilder#fallback}). The store is then left alone
 * for a while about that group.
 *
 * <p>Thread safe.
 */
public final class TopologyClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopologyClient.class);

  private static final class ClosedException extends WaymarkException {
    @Serial private static final long serialVersionUID = 1;

    ClosedException() {
      super(TopologyError.CLOSED.code(), "the topology client is closed", null);
    }
  }

  private final SnapshotReader reader;
  private final TopologyClientConfig config;
  private final GroupReads reads;
  private final Tallies tallies = new Tallies();
  private final @Nullable Announcer announcer;
  private final LongSupplier ticker;
  private final long aheadNanos;
  private final long staleNanos;
  private volatile boolean closed;

  private TopologyClient(SnapshotReader reader, TopologyClientConfig config) {
    this.reader = reader;
    this.config = config;
    this.announcer = config.onChange().map(Announcer::new).orElse(null);
    this.reads = new GroupReads(reader, config, tallies, this::swapped);
    this.ticker = config.ticker();
    this.aheadNanos = config.refreshAhead().toNanos();
    this.staleNanos = config.staleIfError().toNanos();
  }

  static TopologyClient start(SnapshotReader reader, TopologyClientConfig config) {
    TopologyClient client = new TopologyClient(reader, config);
    reader.watch(client.reads);
    return client;
  }

  /**
   * Configures a client.
   *
   * @param reader where published groups are read; the client closes it with itself
   */
  public static TopologyClientBuilder builder(SnapshotReader reader) {
    return new TopologyClientBuilder(reader);
  }

  /**
   * The members of a group. Waits for at most the read timeout, and only where no fresh snapshot is
   * kept. The same object is returned for as long as nothing has changed.
   *
   * @throws TopologyUnavailableException if it cannot be had and no fallback applied; also if the
   *     calling thread is interrupted while it waits, which then stays interrupted
   * @throws IllegalArgumentException if no group can have that name
   */
  public GroupSnapshot get(String group) {
    CachedGroup cached = reads.find(group);
    if (cached != null) {
      GroupView view = cached.view();
      GroupSnapshot snapshot = view.snapshot();
      if (snapshot != null && view.freshUntil() - aheadNanos - ticker.getAsLong() > 0) {
        return snapshot;
      }
    }
    return read(group);
  }

  private GroupSnapshot read(String name) {
    if (closed) {
      throw new ClosedException();
    }
    CachedGroup group = reads.group(name);
    long now = ticker.getAsLong();
    GroupView view = group.view();
    GroupSnapshot fresh = view.fresh(now);
    if (fresh != null) {
      if (!view.isQuiet(now)) {
        group.readAhead();
      }
      return fresh;
    }
    if (!view.isQuiet(now)) {
      view = await(group);
    }
    GroupSnapshot snapshot = view.snapshot();
    UnavailableReason failure = view.failure();
    return failure == null && snapshot != null
        ? snapshot
        : standIn(name, view, failure == null ? UnavailableReason.MISSING : failure);
  }

  private static GroupView await(CachedGroup group) {
    try {
      return group.read().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopologyUnavailableException(
          group.name(), UnavailableReason.FAILED, "the caller was interrupted while it waited", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a read ends with a view, also when it fails", e);
    }
  }

  private GroupSnapshot standIn(String group, GroupView view, UnavailableReason reason) {
    if (!reason.isAbsence()) {
      GroupSnapshot stale = view.stale(ticker.getAsLong(), staleNanos);
      if (stale != null) {
        return stoodIn(stale, Source.STALE, reason);
      }
    }
    GroupSnapshot seed = seed(group);
    if (seed != null) {
      return stoodIn(seed, Source.SEED, reason);
    }
    TopologyUnavailableException unavailable =
        new TopologyUnavailableException(group, reason, detail(view, reason), view.cause());
    GroupSnapshot own = fallback(group, reason, unavailable);
    if (own != null) {
      return stoodIn(own, Source.FALLBACK, reason);
    }
    throw unavailable;
  }

  private GroupSnapshot stoodIn(GroupSnapshot snapshot, Source source, UnavailableReason reason) {
    tallies.stoodIn(source);
    Consumer<FallbackEvent> listener = config.onFallback().orElse(null);
    if (listener != null) {
      try {
        listener.accept(new FallbackEvent(snapshot.group(), source, reason));
      } catch (RuntimeException e) {
        LOG.warn("onFallback threw; it is ignored", e);
      }
    }
    return snapshot;
  }

  private @Nullable GroupSnapshot seed(String group) {
    Function<String, List<Member>> seed = config.seed().orElse(null);
    if (seed == null) {
      return null;
    }
    try {
      return GroupSnapshot.local(group, seed.apply(group));
    } catch (RuntimeException e) {
      LOG.warn("the seed of group {} cannot be used", group, e);
      return null;
    }
  }

  private @Nullable GroupSnapshot fallback(
      String group, UnavailableReason reason, TopologyUnavailableException unavailable) {
    BiFunction<String, UnavailableReason, Optional<GroupSnapshot>> fallback =
        config.fallback().orElse(null);
    if (fallback == null) {
      return null;
    }
    try {
      return fallback.apply(group, reason).orElse(null);
    } catch (RuntimeException e) {
      unavailable.addSuppressed(e);
      return null;
    }
  }

  /** A sentence for people; of a failure only its kind, since its message may hold anything. */
  private String detail(GroupView view, UnavailableReason reason) {
    String highest = highest(view).map(Stamp::toString).orElse("");
    Throwable cause = view.cause();
    return switch (reason) {
      case MISSING ->
          highest.isEmpty()
              ? "the store holds nothing under that name"
              : "the store holds nothing under that name; "
                  + highest
                  + " was seen before, so it may have forgotten";
      case DELETED -> "its coordinator deleted it (" + highest + ")";
      case OUTDATED -> "the store is behind " + highest + ", which was seen before";
      case TIMEOUT -> "the store did not answer within " + config.readTimeout().toMillis() + " ms";
      case INVALID, FAILED ->
          "the read failed with " + (cause == null ? "no reason" : cause.getClass().getName());
    };
  }

  private static Optional<Stamp> highest(GroupView view) {
    return view.seen().stamps().stream().findFirst();
  }

  /**
   * What is believed of a group, and what a call would get now. Reads nothing and changes nothing.
   *
   * @throws IllegalArgumentException if no group can have that name
   */
  public GroupStatus inspect(String group) {
    CachedGroup cached = reads.peek(Names.check("group", group));
    GroupView view = cached == null ? GroupView.unread(HighWater.NONE) : cached.view();
    long now = ticker.getAsLong();
    return new GroupStatus(
        group,
        next(view, now),
        Optional.ofNullable(view.snapshot()),
        Optional.ofNullable(view.snapshot()).map(s -> Duration.ofNanos(view.freshUntil() - now)),
        Optional.ofNullable(view.failure()),
        view.isQuiet(now) ? Optional.of(Duration.ofNanos(view.retryAt() - now)) : Optional.empty(),
        highest(view),
        Optional.ofNullable(reads.silent()));
  }

  private Next next(GroupView view, long now) {
    UnavailableReason failure = view.failure();
    if (view.fresh(now) != null) {
      return Next.CACHE;
    }
    if (failure == null || !view.isQuiet(now)) {
      return Next.READ;
    }
    if (!failure.isAbsence() && view.stale(now, staleNanos) != null) {
      return Next.STALE;
    }
    if (config.seed().isPresent()) {
      return Next.SEED;
    }
    return config.fallback().isPresent() ? Next.FALLBACK : Next.FAILURE;
  }

  /** What this client has done so far. */
  public TopologyStats stats() {
    return tallies.stats(reads);
  }

  private void swapped(GroupView before, GroupView after) {
    GroupSnapshot then = before.snapshot();
    GroupSnapshot now = after.snapshot();
    if (announcer != null && !Objects.equals(then, now)) {
      String group = now != null ? now.group() : then != null ? then.group() : "";
      announcer.changed(group, then, now);
    }
  }

  /** Ends the push and closes the reader. Calls that wait end with the reader's failure. */
  @Override
  public void close() {
    closed = true;
    reads.clear();
    reader.close();
    if (announcer != null) {
      announcer.close();
    }
  }
}
