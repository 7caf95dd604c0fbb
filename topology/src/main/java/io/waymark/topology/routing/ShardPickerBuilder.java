package io.waymark.topology.routing;

import static java.util.Objects.requireNonNull;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Configures a {@link ShardPicker}, on its own or as the choosing part of a {@link ShardRouter}.
 *
 * <p>Nothing has to be given. Each method checks its value at once and returns this builder; what
 * concerns several values is checked when it is built. A value that cannot be used is an {@link
 * OptionException} that names the option, shows the value and says what is accepted. Durations and
 * numbers also have a text form, see {@link #properties} and {@link RoutingOption}. Not thread
 * safe.
 */
public final class ShardPickerBuilder {
  private RoutingPolicy policy = RoutingPolicy.IMPROVED;
  private long softBacklogLimit = number(RoutingOption.SOFT_BACKLOG_LIMIT);
  private int startWidth = number(RoutingOption.WIDTH_START);
  private int minWidth = number(RoutingOption.WIDTH_MIN);
  private int maxWidth = number(RoutingOption.WIDTH_MAX);
  private boolean startGiven;
  private Duration widenAfter = duration(RoutingOption.WIDEN_AFTER);
  private Duration narrowAfter = duration(RoutingOption.NARROW_AFTER);
  private int subset;
  private String client = UUID.randomUUID().toString();
  private OptionalInt clientNumber = OptionalInt.empty();
  private int failuresToEject = number(RoutingOption.EJECTION_FAILURES);
  private double maxEjected = Double.parseDouble(RoutingOption.EJECTION_MAX.defaultText());
  private Duration trialAfter = duration(RoutingOption.EJECTION_TRIAL_AFTER);
  private Duration slowStart = duration(RoutingOption.SLOW_START);
  private Duration failureCost = duration(RoutingOption.FAILURE_COST);
  private Duration window = duration(RoutingOption.WINDOW);
  private int observations = number(RoutingOption.OBSERVATIONS);
  private @Nullable Function<String, CompletionStage<LoadSnapshot>> probe;
  private @Nullable Consumer<RoutingChange> onChange;
  private LongSupplier ticker = System::nanoTime;
  private InstantSource clock = InstantSource.system();
  private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

  ShardPickerBuilder() {}

  private static int number(RoutingOption option) {
    return Integer.parseInt(option.defaultText());
  }

  private static Duration duration(RoutingOption option) {
    return OptionText.duration(option, option.defaultText());
  }

  /** How a shard is chosen; by default {@link RoutingPolicy#IMPROVED}. */
  public ShardPickerBuilder policy(RoutingPolicy policy) {
    this.policy = requireNonNull(policy, "policy");
    return this;
  }

  /**
   * The backlog above which more numbered shards are used; by default 1000. For the improved policy
   * it is also the measure of a backlog: a shard that has this much waiting is shunned as if
   * {@value Standing#CALLS_AT_SOFT_LIMIT} more calls were under way there.
   *
   * @throws OptionException if it is not positive
   */
  public ShardPickerBuilder softBacklogLimit(long softBacklogLimit) {
    this.softBacklogLimit =
        PickerConfig.positive(RoutingOption.SOFT_BACKLOG_LIMIT, softBacklogLimit);
    return this;
  }

  /**
   * How many numbered shards are used at first; by default 2, or what {@link #minWidth} and {@link
   * #maxWidth} leave of it.
   *
   * @throws OptionException if it is not positive; when built, if it is outside of the bounds
   */
  public ShardPickerBuilder startWidth(int startWidth) {
    this.startWidth = OptionValue.positive(RoutingOption.WIDTH_START, startWidth);
    this.startGiven = true;
    return this;
  }

  /**
   * How many numbered shards are used at least; by default 1.
   *
   * @throws OptionException if it is not positive; when built, if it is above the most
   */
  public ShardPickerBuilder minWidth(int minWidth) {
    this.minWidth = OptionValue.positive(RoutingOption.WIDTH_MIN, minWidth);
    return this;
  }

  /**
   * How many numbered shards are used at most; by default 64.
   *
   * @throws OptionException if it is not positive; when built, if it is below the least
   */
  public ShardPickerBuilder maxWidth(int maxWidth) {
    this.maxWidth = OptionValue.positive(RoutingOption.WIDTH_MAX, maxWidth);
    return this;
  }

  /**
   * The shortest time between a change of the width and a further shard; by default 1 second.
   *
   * @throws OptionException if it is not positive, or longer than 24 days
   */
  public ShardPickerBuilder widenAfter(Duration widenAfter) {
    this.widenAfter = OptionValue.waitTime(RoutingOption.WIDEN_AFTER, widenAfter);
    return this;
  }

  /**
   * The shortest time between a change of the width and one shard less; by default 60 seconds.
   *
   * @throws OptionException if it is not positive, or longer than 24 days
   */
  public ShardPickerBuilder narrowAfter(Duration narrowAfter) {
    this.narrowAfter = OptionValue.waitTime(RoutingOption.NARROW_AFTER, narrowAfter);
    return this;
  }

  /**
   * How many members this process uses, chosen by rendezvous hashing of {@link #client}, so that at
   * most one changes with each member that comes or goes; by default 0, which is all. Where many
   * processes share many members, each knows the few that it uses far better.
   *
   * @throws OptionException if it is negative
   */
  public ShardPickerBuilder subset(int subset) {
    OptionValue.notNegative(RoutingOption.SUBSET, subset);
    this.subset = subset;
    return this;
  }

  /**
   * By what this process is known when its {@link #subset} is chosen: the same name, the same
   * subset. By default a random one.
   */
  public ShardPickerBuilder client(String client) {
    this.client = requireNonNull(client, "client");
    return this;
  }

  /**
   * The number of this process among those that use the same members, from 0, such as the ordinal
   * of a replica; by default it has none. Then its {@link #subset} goes by the number instead of
   * the name, which spreads few processes evenly over the members. As by name, at most one member
   * of the subset changes with each member that comes or goes; but a process that restarts may get
   * others.
   *
   * @throws OptionException if it is negative
   */
  public ShardPickerBuilder clientNumber(int number) {
    OptionValue.notNegative(RoutingOption.SUBSET, number);
    this.clientNumber = OptionalInt.of(number);
    return this;
  }

  /**
   * How many failed calls in a row leave a shard out; by default 5.
   *
   * @throws OptionException if it is not positive
   */
  public ShardPickerBuilder failuresToEject(int failures) {
    this.failuresToEject = OptionValue.positive(RoutingOption.EJECTION_FAILURES, failures);
    return this;
  }

  /**
   * Which part of the shards is left out at most, by default a half: rounded down, and never the
   * last one. What fails beyond that stays and has the cost of its failures.
   *
   * @throws OptionException if it is not above 0, or above 1
   */
  public ShardPickerBuilder maxEjected(double share) {
    this.maxEjected = PickerConfig.share(share);
    return this;
  }

  /**
   * Half of the time until a shard that was left out is tried for the first time; by default 1
   * second. The time doubles with each trial that fails, up to 30 seconds, spread by ±10 %.
   *
   * @throws OptionException if it is not positive, or longer than 24 days
   */
  public ShardPickerBuilder trialAfter(Duration trialAfter) {
    this.trialAfter = OptionValue.waitTime(RoutingOption.EJECTION_TRIAL_AFTER, trialAfter);
    return this;
  }

  /**
   * How long a shard that is new or was left out takes less than its share, growing from a tenth;
   * by default 10 seconds, counted from its first success. Zero for none.
   *
   * @throws OptionException if it is negative
   */
  public ShardPickerBuilder slowStart(Duration slowStart) {
    this.slowStart = OptionValue.notNegative(RoutingOption.SLOW_START, slowStart);
    return this;
  }

  /**
   * How long a failed call counts as if it were still under way, fading; by default 1 second. Zero
   * for not at all.
   *
   * @throws OptionException if it is negative
   */
  public ShardPickerBuilder failureCost(Duration failureCost) {
    this.failureCost = OptionValue.notNegative(RoutingOption.FAILURE_COST, failureCost);
    return this;
  }

  /**
   * How long a shard's backlog is believed, fading to what is usual; by default 60 seconds. Calls
   * under way there are believed for about 20 times the usual time of a call only.
   *
   * @throws OptionException if it is not positive, or longer than 24 days
   */
  public ShardPickerBuilder window(Duration window) {
    this.window = OptionValue.waitTime(RoutingOption.WINDOW, window);
    return this;
  }

  /**
   * Of how many shards loads are kept where a rule of the application's names them; by default
   * 1024. The one that was heard of longest ago makes room.
   *
   * @throws OptionException if it is not positive
   */
  public ShardPickerBuilder observations(int observations) {
    this.observations = OptionValue.positive(RoutingOption.OBSERVATIONS, observations);
    return this;
  }

  /**
   * Asks a shard for its load, without doing anything else there; by default nobody is asked. With
   * each pick two candidates are asked for what later picks compare, a shard at most once at a
   * time; and a shard that was left out is tried by this instead of by somebody's push.
   *
   * <p>Called with the shard's name on the caller's thread: it must not block. What it throws, and
   * an answer that fails, speaks against a shard that is being tried and changes nothing for
   * others.
   */
  public ShardPickerBuilder probe(Function<String, CompletionStage<LoadSnapshot>> probe) {
    this.probe = requireNonNull(probe, "probe");
    return this;
  }

  /**
   * Told when a shard was left out or returned, and when the width changed, on whichever thread
   * changed it: keep it short. What it throws is logged and ignored. Not with {@link
   * RoutingPolicy#COMPATIBLE}.
   */
  public ShardPickerBuilder onChange(Consumer<RoutingChange> onChange) {
    this.onChange = requireNonNull(onChange, "onChange");
    return this;
  }

  /** Monotonic nanoseconds; by default {@link System#nanoTime}. */
  public ShardPickerBuilder ticker(LongSupplier ticker) {
    this.ticker = requireNonNull(ticker, "ticker");
    return this;
  }

  /** The wall clock, which only the compatible policy reads; by default the system's. */
  public ShardPickerBuilder clock(InstantSource clock) {
    this.clock = requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Draws candidates and spreads trials; by default each thread's own, so that threads do not wait
   * for each other. Used by several threads at once.
   */
  public ShardPickerBuilder random(RandomGenerator random) {
    this.random = requireNonNull(random, "random");
    return this;
  }

  /**
   * Options as texts, by the paths of {@link RoutingOption}.
   *
   * @throws OptionException if a key is no option or a text cannot be used
   */
  public ShardPickerBuilder properties(Map<String, String> texts) {
    new TreeMap<>(texts).forEach(this::property);
    return this;
  }

  private void property(String path, String text) {
    RoutingOption option =
        Arrays.stream(RoutingOption.values())
            .filter(each -> each.path().equals(path))
            .findFirst()
            .orElseThrow(
                () ->
                    OptionException.unknown(
                        path,
                        Arrays.stream(RoutingOption.values()).map(RoutingOption::path).toList()));
    switch (option) {
      case POLICY -> policy(OptionText.choice(option, text, RoutingPolicy.class));
      case SOFT_BACKLOG_LIMIT -> softBacklogLimit(OptionText.positiveInt(option, text));
      case SUBSET -> subset(text.strip().equals("0") ? 0 : OptionText.positiveInt(option, text));
      case SLOW_START -> slowStart(OptionText.duration(option, text));
      case WIDTH_START -> startWidth(OptionText.positiveInt(option, text));
      case WIDTH_MIN -> minWidth(OptionText.positiveInt(option, text));
      case WIDTH_MAX -> maxWidth(OptionText.positiveInt(option, text));
      case WIDEN_AFTER -> widenAfter(OptionText.waitTime(option, text));
      case NARROW_AFTER -> narrowAfter(OptionText.waitTime(option, text));
      case EJECTION_FAILURES -> failuresToEject(OptionText.positiveInt(option, text));
      case EJECTION_MAX -> maxEjected(OptionText.positiveDecimal(option, text));
      case EJECTION_TRIAL_AFTER -> trialAfter(OptionText.waitTime(option, text));
      case FAILURE_COST -> failureCost(OptionText.duration(option, text));
      case WINDOW -> window(OptionText.waitTime(option, text));
      case OBSERVATIONS -> observations(OptionText.positiveInt(option, text));
    }
  }

  /**
   * What has been configured so far.
   *
   * @throws OptionException if the options cannot be used together
   */
  public PickerConfig config() {
    int start = startGiven ? startWidth : Math.max(minWidth, Math.min(startWidth, maxWidth));
    return new PickerConfig(
        policy,
        softBacklogLimit,
        start,
        minWidth,
        maxWidth,
        widenAfter,
        narrowAfter,
        subset,
        client,
        clientNumber,
        failuresToEject,
        maxEjected,
        trialAfter,
        slowStart,
        failureCost,
        window,
        observations,
        Optional.ofNullable(probe),
        Optional.ofNullable(onChange),
        ticker,
        clock,
        random);
  }

  /**
   * A picker of numbered shards, {@code shard-0} to {@code shard-<w-1>}, where the width {@code w}
   * follows the backlog.
   *
   * @throws OptionException if the options cannot be used together
   */
  public ShardPicker numbered() {
    return ShardPicker.numbered(config());
  }

  /**
   * A picker of these members, until others are given.
   *
   * @throws OptionException if the options cannot be used together
   * @throws IllegalArgumentException if two members have one name
   */
  public ShardPicker members(Iterable<ShardMember> members) {
    return ShardPicker.members(config(), members);
  }
}
