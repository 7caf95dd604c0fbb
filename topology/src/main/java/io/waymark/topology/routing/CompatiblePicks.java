package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.Operation;
import io.waymark.core.RouteDecision;
import io.waymark.core.RouteDecision.PassedOver;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The published design to the letter. Where it is weak this is weak too; the improved policy says
 * how.
 *
 * <ol>
 *   <li>Loads that are older than their window by the difference of two wall clocks are dropped.
 *   <li>Two candidates are drawn, which may be the same.
 *   <li>One that is unknown wins, the first before the second; then the smaller backlog; then the
 *       smaller pressure, where an average that is not known counts as zero; then the first.
 *   <li>A load that comes back is kept unless it is older than what is known, and the width follows
 *       this one load.
 * </ol>
 */
final class CompatiblePicks implements Picks {
  /** The shortest time between a change and one shard more, in milliseconds. */
  private static final long WIDEN_AFTER = 1_000;

  private final InstantSource clock;
  private final RandomGenerator random;
  private final double softBacklogLimit;
  private final SeenLoads loads;
  private final boolean numbered;
  private final ReentrantLock lock = new ReentrantLock();

  /** Under the lock. */
  private int width = 1;

  /** Under the lock. */
  private long resizedAt;

  /** Under the lock. */
  private boolean resized;

  private volatile List<String> members = List.of();

  private CompatiblePicks(PickerConfig config, boolean numbered) {
    this.clock = config.clock();
    this.random = config.random();
    this.softBacklogLimit = config.softBacklogLimit();
    this.loads = SeenLoads.byClocks(config.clock(), config.observations());
    this.numbered = numbered;
  }

  static CompatiblePicks numbered(PickerConfig config) {
    return new CompatiblePicks(config, true);
  }

  static CompatiblePicks members(PickerConfig config, List<ShardMember> members) {
    CompatiblePicks picks = new CompatiblePicks(config, false);
    picks.members(members);
    return picks;
  }

  @Override
  public void members(List<ShardMember> members) {
    this.members = members.stream().map(ShardMember::name).toList();
  }

  @Override
  public Pick pick() {
    loads.prune();
    List<String> names = members;
    int among = numbered ? width() : names.size();
    if (among == 0) {
      throw new RoutingException(
          RoutingError.NO_SHARD, "there is no member that takes pushes; add or activate one");
    }
    return new CompatiblePick(this, better(drawn(names, among), drawn(names, among)));
  }

  private String drawn(List<String> names, int among) {
    int number = (int) (random.nextDouble() * among);
    return numbered ? ShardPicker.numberedName(number) : names.get(number);
  }

  private String better(String first, String second) {
    @Nullable LoadSnapshot one = loads.get(first);
    @Nullable LoadSnapshot other = loads.get(second);
    if (one == null) {
      return first;
    }
    if (other == null) {
      return second;
    }
    if (one.pendingDeliveries() != other.pendingDeliveries()) {
      return one.pendingDeliveries() < other.pendingDeliveries() ? first : second;
    }
    return pressure(other) < pressure(one) ? second : first;
  }

  /** Milliseconds of work under way; without an average none, however much is under way. */
  private static double pressure(LoadSnapshot load) {
    return pressure(load.inbound()) + pressure(load.outbound());
  }

  private static double pressure(LoadSnapshot.Traffic traffic) {
    return traffic.inFlight() * traffic.averageMillis().orElse(0);
  }

  void answered(String shard, LoadSnapshot load) {
    loads.record(shard, load);
    if (numbered) {
      resize(load);
    }
  }

  private void resize(LoadSnapshot load) {
    long now = clock.millis();
    long window = load.window().toMillis();
    if (now - load.observedAt().toEpochMilli() >= window) {
      return;
    }
    lock.lock();
    try {
      if (load.pendingDeliveries() > softBacklogLimit) {
        if (!resized || now - resizedAt >= WIDEN_AFTER) {
          resizeTo(width + 1, now);
        }
      } else if (width > 1 && (!resized || now - resizedAt >= window) && isQuiet(load)) {
        resizeTo(width - 1, now);
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isQuiet(LoadSnapshot load) {
    return load.pendingDeliveries() < softBacklogLimit / 4
        && load.inbound().inFlight() == 0
        && load.outbound().inFlight() == 0;
  }

  private void resizeTo(int width, long now) {
    this.width = width;
    resizedAt = now;
    resized = true;
  }

  @Override
  public int width() {
    if (!numbered) {
      return members.size();
    }
    lock.lock();
    try {
      return width;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Map<String, LoadSnapshot> observations() {
    return Map.copyOf(loads.all());
  }

  /** An unknown one wins against all others; else the one that wins against most. */
  @Override
  public RouteDecision inspect() {
    List<String> names =
        numbered
            ? IntStream.range(0, width()).mapToObj(ShardPicker::numberedName).toList()
            : members;
    @Nullable String best = names.isEmpty() ? null : names.get(0);
    for (String name : names) {
      best = best == null ? name : better(best, name);
    }
    List<PassedOver> passedOver = new ArrayList<>();
    for (String name : names) {
      if (!name.equals(best)) {
        @Nullable LoadSnapshot load = loads.get(name);
        passedOver.add(
            new PassedOver(
                name, load == null ? "not known" : "backlog " + load.pendingDeliveries()));
      }
    }
    return best == null
        ? new RouteDecision(Operation.WRITE, null, RoutingError.NO_SHARD.code(), passedOver)
        : new RouteDecision(Operation.WRITE, best, RoutingReason.AUTO.text(best), passedOver);
  }
}
