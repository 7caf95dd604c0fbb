package io.waymark.topology.routing;

import io.waymark.core.Candidates;
import io.waymark.core.LiveView;
import io.waymark.core.LoadSnapshot;
import io.waymark.core.RouteDecision;
import io.waymark.core.Selector;
import io.waymark.core.Selectors;
import io.waymark.core.Vitals;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The improved policy. A pick reads one view, draws two of its shards, compares them by {@link
 * Standing} and counts one call more at the better. What it reads is written rarely; what it writes
 * belongs to the shard that it picked.
 */
final class ImprovedPicks implements Picks {
  private static final Logger LOG = LoggerFactory.getLogger(ImprovedPicks.class);

  /** What was heard is worked out anew so often in the usual time of a call, ... */
  private static final int SETTLED_PER_CALL = 4;

  /** ... but at least so often, */
  private static final long SLOWEST_SETTLING = 1_000_000_000;

  /** not more often than this, */
  private static final long FASTEST_SETTLING = 1_000_000;

  /** and so that it takes next to nothing of a processor, at some 10 ns for a shard. */
  private static final long SETTLING_PER_SHARD = 1_000;

  /** At least one pick of 16 looks at the clock. */
  private static final long MOST_UNTIMED = 15;

  private final PickerConfig config;
  private final Standing standing;
  private final Membership membership;
  private final LongSupplier ticker;
  private final RandomGenerator random;
  private final @Nullable Function<String, CompletionStage<LoadSnapshot>> probe;
  private final LiveView<ShardView> live = new LiveView<>(ShardView.EMPTY);
  private final Selector<ShardCell> selector;
  private final Selector<ShardCell> previewing;
  private final @Nullable Width width;

  /** Somebody works out what was heard. */
  private final AtomicBoolean settling = new AtomicBoolean();

  /** Picks for which a random number has one of these bits do without the clock. */
  private volatile long untimed;

  private volatile Usual usual = Usual.NOTHING;
  private volatile long settleAt;

  private ImprovedPicks(PickerConfig config, @Nullable Width width) {
    this.config = config;
    this.standing = Standing.of(config);
    this.membership = new Membership(config);
    this.ticker = config.ticker();
    this.random = config.random();
    this.probe = config.probe().orElse(null);
    this.selector = Selectors.twoChoices(shard -> shard.cost(random), random);
    this.previewing = Selectors.twoChoices(ShardCell::expectedCost, random);
    this.width = width;
    this.settleAt = ticker.getAsLong();
    config.onChange().ifPresent(listener -> live.onChange(Changes.telling(listener)));
  }

  static ImprovedPicks numbered(PickerConfig config) {
    ImprovedPicks picks = new ImprovedPicks(config, new Width(config));
    picks.resize(config.startWidth());
    return picks;
  }

  static ImprovedPicks members(PickerConfig config, List<ShardMember> members) {
    ImprovedPicks picks = new ImprovedPicks(config, null);
    picks.members(members);
    return picks;
  }

  @Override
  public void members(List<ShardMember> members) {
    live.swap(before -> membership.with(before, members));
  }

  private void resize(int shards) {
    live.swap(before -> membership.numbered(before, shards));
  }

  @Override
  public Pick pick() {
    ShardView view = live.current();
    // A look at the clock costs as much as all the rest of a pick.
    if (untimed != 0 && view.ejected().isEmpty() && (random.nextLong() & untimed) != 0) {
      return picked(view, select(view.open()), WeighedPick.NOT_TIMED);
    }
    long now = ticker.getAsLong();
    if (now - settleAt >= 0) {
      settle(now);
      view = live.current();
    }
    ShardCell tried = view.ejected().isEmpty() ? null : dueForTrial(view, now);
    return picked(view, tried == null ? select(view.open()) : tried, now);
  }

  private Pick picked(ShardView view, ShardCell shard, long now) {
    shard.vitals().started();
    if (probe != null) {
      probeTwo(view);
    }
    return new WeighedPick(this, shard, now, shard.vitals().circuit().isOpen());
  }

  private ShardCell select(Candidates<ShardCell> open) {
    if (open.count() == 0) {
      throw nobody();
    }
    return open.get(selector.select(open));
  }

  private static RoutingException nobody() {
    return new RoutingException(
        RoutingError.NO_SHARD, "there is no member that takes pushes; add or activate one");
  }

  void answered(ShardCell shard, long startedAt, boolean trial, @Nullable LoadSnapshot load) {
    Vitals vitals = shard.vitals();
    vitals.finished();
    if (trial) {
      trialSucceeded(shard);
    } else {
      vitals.circuit().succeeded();
    }
    if (load != null || startedAt != WeighedPick.NOT_TIMED) {
      long now = ticker.getAsLong();
      if (startedAt != WeighedPick.NOT_TIMED) {
        shard.answered(now, now - startedAt);
      }
      if (load != null) {
        observe(shard, load, now);
      }
    }
  }

  void failed(ShardCell shard, boolean trial) {
    long now = ticker.getAsLong();
    shard.vitals().finished();
    shard.failed(now, standing.failureCostNanos());
    shard.settle(now, usual, standing);
    if (trial) {
      trialFailed(shard, now);
    } else if (shard.vitals().circuit().failed()) {
      ejectUntilTrial(shard, now);
    }
  }

  void abandoned(ShardCell shard, boolean trial) {
    shard.vitals().finished();
    if (trial) {
      shard.endTrial();
    }
  }

  private void trialSucceeded(ShardCell shard) {
    shard.vitals().circuit().trialSucceeded();
    shard.endTrial();
    review();
  }

  private void trialFailed(ShardCell shard, long now) {
    shard.vitals().circuit().trialFailed();
    ejectUntilTrial(shard, now);
    shard.endTrial();
  }

  private void ejectUntilTrial(ShardCell shard, long now) {
    shard.trialAt(now + shard.vitals().circuit().nextDelay(random).toNanos());
    review();
  }

  private void review() {
    live.swap(before -> before.reviewed(config.maxEjected()));
  }

  private void observe(ShardCell shard, LoadSnapshot load, long now) {
    shard.observe(load, now);
    shard.settle(now, usual, standing);
  }

  /** Works out what is usual, and with that what every shard is taken for. */
  private void settle(long now) {
    if (!settling.compareAndSet(false, true)) {
      return;
    }
    try {
      ShardView view = live.current();
      Usual usualNow = Usual.of(view.used(), now, standing);
      usual = usualNow;
      view.used().forEach(shard -> shard.settle(now, usualNow, standing));
      long pace = settlingNanos(view.used().size(), usualNow.latencyNanos());
      untimed = untimedAfter(now - settleAt, pace);
      settleAt = now + pace;
      if (width != null) {
        int after = width.next(view.used(), now, usualNow, standing);
        if (after != view.used().size()) {
          resize(after);
        }
      }
    } finally {
      settling.set(false);
    }
  }

  /**
   * Of how many picks one looks at the clock, as a mask: more of them while those that do come
   * often enough to be early for what is due, all while they come late.
   */
  private long untimedAfter(long late, long pace) {
    if (late < pace / 16) {
      return Math.min(MOST_UNTIMED, untimed * 2 + 1);
    }
    return late < pace / 4 ? untimed : 0;
  }

  private static long settlingNanos(int shards, double latencyNanos) {
    long least = Math.max(FASTEST_SETTLING, shards * SETTLING_PER_SHARD);
    return Double.isNaN(latencyNanos)
        ? least
        : Math.max(least, Math.min(SLOWEST_SETTLING, (long) latencyNanos / SETTLED_PER_CALL));
  }

  /** A shard that was left out and is to be tried by this call; null if there is none. */
  private @Nullable ShardCell dueForTrial(ShardView view, long now) {
    for (int i = 0; i < view.ejected().size(); i++) {
      ShardCell shard = view.ejected().get(i);
      if (shard.beginTrial(now)) {
        if (probe == null) {
          return shard;
        }
        ask(shard, probe, load -> tried(shard, load));
      }
    }
    return null;
  }

  private void tried(ShardCell shard, @Nullable LoadSnapshot load) {
    if (load == null) {
      trialFailed(shard, ticker.getAsLong());
    } else {
      trialSucceeded(shard);
    }
  }

  private void probeTwo(ShardView view) {
    Function<String, CompletionStage<LoadSnapshot>> asks = probe;
    int count = view.open().count();
    for (int i = 0; i < 2 && asks != null && count > 0; i++) {
      ShardCell shard = view.open().get(random.nextInt(count));
      if (shard.beginAsking()) {
        ask(shard, asks, load -> shard.endAsking());
      }
    }
  }

  private void ask(
      ShardCell shard,
      Function<String, CompletionStage<LoadSnapshot>> probe,
      Consumer<@Nullable LoadSnapshot> then) {
    try {
      probe
          .apply(shard.name())
          .whenComplete(
              (load, failure) -> {
                LoadSnapshot said = failure == null ? load : null;
                if (said != null) {
                  observe(shard, said, ticker.getAsLong());
                }
                then.accept(said);
              });
    } catch (RuntimeException e) {
      LOG.debug("the probe of shard {} threw; it counts as unanswered", shard.name(), e);
      then.accept(null);
    }
  }

  @Override
  public int width() {
    return live.current().used().size();
  }

  @Override
  public Map<String, LoadSnapshot> observations() {
    long now = ticker.getAsLong();
    Map<String, LoadSnapshot> loads = new LinkedHashMap<>();
    for (ShardCell shard : live.current().used()) {
      @Nullable Observation seen = shard.observation();
      if (seen != null && now - seen.receivedAt() < standing.windowNanos()) {
        loads.put(shard.name(), seen.load());
      }
    }
    return Map.copyOf(loads);
  }

  @Override
  public RouteDecision inspect() {
    ShardView view = live.current();
    Candidates<ShardCell> open = view.open();
    @Nullable ShardCell likeliest = open.count() == 0 ? null : open.get(previewing.peek(open));
    return new Inspection(view, standing, ticker.getAsLong()).decision(likeliest);
  }
}
