package io.waymark.topology.routing;

import io.waymark.core.KeptMeters;
import io.waymark.core.KeptMeters.Family;
import io.waymark.core.LoadSnapshot;
import io.waymark.core.Operation;
import io.waymark.core.OptionText;
import io.waymark.core.Outcome;
import io.waymark.core.RouteDecision;
import io.waymark.topology.TopologyUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses one shard for each push and calls it once.
 *
 * <p>One push takes these steps: drop observations that are too old; choose a shard, by load, by a
 * {@linkplain ShardRouterBuilder#sharding rule} or by a {@linkplain ShardRouterBuilder#key key};
 * check it; call it exactly once; keep the load that came back, within bounds; let the number of
 * shards follow. The whole input goes to one shard.
 *
 * <p>Nothing is tried again and nothing is sent elsewhere. What the call returns is returned as it
 * is, and what it throws is thrown as it is: whether a push that failed was accepted nobody knows,
 * and another shard would not recognise it. Loads are advice: one that is missing or late changes
 * no outcome.
 *
 * <p>What is known of shards is this object's own: in memory, of this process, gone with it. Keep
 * one router for the life of the process; it holds no thread and nothing to close.
 *
 * <p>Thread safe.
 *
 * @param <S> the type of what is called to reach a shard
 * @param <I> the input's type
 * @param <R> the type of what comes with acceptance
 */
public final class ShardRouter<S, I, R> implements Router<I, R> {
  private static final Logger LOG = LoggerFactory.getLogger(ShardRouter.class);
  private static final Family PUSH =
      Family.of(RoutingMeterNames.PUSH, RoutingMeterNames.REASON, RoutingMeterNames.OUTCOME);

  private final ShardSource<S> source;
  private final BiFunction<? super S, ? super I, Outcome<R>> call;
  private final ShardRouterConfig<I> config;
  private final ShardPicker picker;
  private final SeenLoads seen;
  private final KeptMeters meters;
  private final LongSupplier ticker;
  private final @Nullable Sharding<? super I> sharding;
  private final @Nullable Function<? super I, String> key;
  private final @Nullable Consumer<PushEvent> onRoute;

  ShardRouter(
      ShardSource<S> source,
      BiFunction<? super S, ? super I, Outcome<R>> call,
      ShardRouterConfig<I> config,
      ShardPicker picker) {
    this.source = source;
    this.call = call;
    this.config = config;
    this.picker = picker;
    this.meters = new KeptMeters(config.meters());
    this.sharding = config.sharding().orElse(null);
    this.key = config.key().orElse(null);
    this.onRoute = config.onRoute().orElse(null);
    PickerConfig picking = config.picking();
    this.ticker = picking.ticker();
    this.seen =
        picking.policy() == RoutingPolicy.COMPATIBLE
            ? SeenLoads.byClocks(picking.clock(), picking.observations())
            : SeenLoads.byArrival(
                picking.ticker(), picking.window().toNanos(), picking.observations());
  }

  /**
   * Configures a router.
   *
   * @param type of what is called to reach a shard
   */
  public static <S> ShardTarget<S> builder(Class<S> type) {
    return new ShardTarget<>();
  }

  /**
   * {@inheritDoc}
   *
   * @throws RoutingException if there was no shard to call (WM2301, WM2302); nothing was sent
   * @throws TopologyUnavailableException if the group cannot be had; nothing was sent
   */
  @Override
  public Outcome<R> push(I input, RoutingContext context) {
    if (sharding == null && key == null) {
      source.refresh(picker);
      Pick pick = picker.pick();
      return call(pick, Shard.named(pick.shard()), input);
    }
    Chosen chosen = chosen(input, context);
    return call(new NamedPick(seen, chosen.shard.name(), chosen.reason), chosen.shard, input);
  }

  /** A shard that a rule or a key gave. */
  private record Chosen(Shard shard, RoutingReason reason) {}

  private Chosen chosen(I input, RoutingContext context) {
    source.refresh(picker);
    seen.prune();
    Sharding<? super I> rule = sharding;
    Function<? super I, String> keyOf = key;
    if (rule != null) {
      return new Chosen(
          given(rule.choose(input, context, new LoadsView(seen)), "the rule gave no shard"),
          RoutingReason.SHARDING);
    }
    if (keyOf == null) {
      throw new IllegalStateException("neither a rule nor a key");
    }
    String text = given(keyOf.apply(input), "the input has no key");
    return new Chosen(Shard.named(source.ofKey(text, config.picking())), RoutingReason.KEY);
  }

  /** What the application returned, which may be nothing whatever its type says. */
  private static <T> T given(@Nullable T value, String otherwise) {
    if (value == null) {
      throw new RoutingException(
          RoutingError.BAD_SHARD, otherwise + "; every push needs one. Nothing was called");
    }
    return value;
  }

  private Outcome<R> call(Pick pick, Shard shard, I input) {
    RoutingReason reason = pick.reason();
    S stub;
    try {
      stub = pick instanceof NamedPick ? source.stub(shard) : source.stubOfPick(shard);
    } catch (Throwable e) { // nothing was called: what is thrown says nothing about the shard
      quietly(pick::abandoned);
      throw e;
    }
    tell(shard, reason);
    long started = meters.isOn() ? ticker.getAsLong() : 0;
    Outcome<R> outcome;
    try {
      outcome = call.apply(stub, input);
    } catch (Throwable e) {
      quietly(() -> failed(pick, e));
      time(reason, "failed", started);
      throw e;
    }
    quietly(() -> pick.answered(load(outcome)));
    time(reason, outcome instanceof Outcome.Rejected ? "rejected" : "accepted", started);
    return outcome;
  }

  private void failed(Pick pick, Throwable thrown) {
    boolean speaksAgainst = true;
    try {
      speaksAgainst = config.failure().test(thrown);
    } finally {
      if (speaksAgainst) {
        pick.failed();
      } else {
        pick.abandoned();
      }
    }
  }

  /** The load that came back; a call that returned nothing at all has answered too. */
  private static @Nullable LoadSnapshot load(@Nullable Outcome<?> outcome) {
    return outcome == null ? null : outcome.load().orElse(null);
  }

  private void tell(Shard shard, RoutingReason reason) {
    Consumer<PushEvent> listener = onRoute;
    if (listener != null) {
      quietly(() -> listener.accept(new PushEvent(shard, reason.text(shard.name()))));
    }
  }

  private void time(RoutingReason reason, String outcome, long started) {
    if (meters.isOn()) {
      meters.time(PUSH, ticker.getAsLong() - started, OptionText.word(reason), outcome);
    }
  }

  /** Whatever is thrown here changes nothing about a push. */
  private static void quietly(Runnable telemetry) {
    try {
      telemetry.run();
    } catch (RuntimeException e) {
      LOG.warn("observing a push failed; its outcome is what it is", e);
    }
  }

  @Override
  public Router<I, R> with(Transform<I, R> transform) {
    return TransformedRouter.of(this, transform);
  }

  /**
   * Where a push would most likely go now, why, and why not elsewhere. Calls no shard, draws
   * nothing and changes nothing.
   *
   * @throws IllegalStateException if a rule or a key decides: see {@link #inspect(Object,
   *     RoutingContext)}
   * @throws TopologyUnavailableException if the group cannot be had
   */
  public RouteDecision inspect() {
    if (sharding != null || key != null) {
      throw new IllegalStateException("where a push goes depends on its input: inspect one");
    }
    source.refresh(picker);
    return source.explained(picker.inspect());
  }

  /**
   * Where this push would go now. Calls no shard; a rule is asked.
   *
   * @throws RoutingException as {@link #push(Object, RoutingContext)}
   * @throws TopologyUnavailableException if the group cannot be had
   */
  public RouteDecision inspect(I input, RoutingContext context) {
    if (sharding == null && key == null) {
      return inspect();
    }
    Chosen chosen = chosen(input, context);
    String name = chosen.shard.name();
    return new RouteDecision(Operation.WRITE, name, chosen.reason.text(name), List.of());
  }

  /**
   * The loads that count now, by shard: a copy, made for this call.
   *
   * @return not to be changed
   */
  public Map<String, LoadSnapshot> observations() {
    return sharding == null && key == null ? picker.observations() : Map.copyOf(seen.all());
  }

  /** How many shards a push is chosen among; where a rule or a key decides it has no meaning. */
  public int width() {
    return picker.width();
  }

  /** What it was built with, but the shards and the call. */
  public ShardRouterConfig<I> config() {
    return config;
  }

  @Override
  public String toString() {
    return "ShardRouter[" + config + "]";
  }
}
