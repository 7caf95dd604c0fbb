package io.waymark.topology.routing;

import io.waymark.core.LoadSnapshot;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Everything a {@link ShardPicker} was built with: validated, immutable.
 *
 * @param policy how a shard is chosen
 * @param softBacklogLimit the backlog above which more shards are used
 * @param startWidth how many numbered shards are used at first
 * @param minWidth how many at least
 * @param maxWidth how many at most
 * @param widenAfter the shortest time between a change of the width and a further shard
 * @param narrowAfter the shortest time between a change of the width and one shard less
 * @param subset how many members are used; 0 for all
 * @param client by what this process is known when its subset is chosen
 * @param clientNumber its number among those that use the same members; empty if it has none
 * @param failuresToEject how many failures in a row leave a shard out
 * @param maxEjected which part is left out at most
 * @param trialAfter half of the time until the first trial
 * @param slowStart how long a new shard takes less than its share
 * @param failureCost how long a failed call counts as under way
 * @param window how long a backlog is believed
 * @param observations of how many shards loads are kept that a rule names
 * @param probe asks a shard for its load; empty for never
 * @param onChange told of shards left out and back, and of the width; what it throws is ignored
 * @param ticker monotonic nanoseconds
 * @param clock the wall clock, which the compatible policy compares with the shards'
 * @param random draws candidates; used by several threads at once
 */
public record PickerConfig(
    RoutingPolicy policy,
    long softBacklogLimit,
    int startWidth,
    int minWidth,
    int maxWidth,
    Duration widenAfter,
    Duration narrowAfter,
    int subset,
    String client,
    OptionalInt clientNumber,
    int failuresToEject,
    double maxEjected,
    Duration trialAfter,
    Duration slowStart,
    Duration failureCost,
    Duration window,
    int observations,
    Optional<Function<String, CompletionStage<LoadSnapshot>>> probe,
    Optional<Consumer<RoutingChange>> onChange,
    LongSupplier ticker,
    InstantSource clock,
    RandomGenerator random) {

  /**
   * @throws OptionException if something cannot be used
   */
  public PickerConfig {
    positive(RoutingOption.SOFT_BACKLOG_LIMIT, softBacklogLimit);
    OptionValue.positive(RoutingOption.WIDTH_MIN, minWidth);
    if (maxWidth < minWidth) {
      throw OptionException.refused(
          RoutingOption.WIDTH_MAX, maxWidth, "the smallest width is " + minWidth);
    }
    if (startWidth < minWidth || startWidth > maxWidth) {
      throw OptionException.refused(
          RoutingOption.WIDTH_START,
          startWidth,
          "the width goes from " + minWidth + " to " + maxWidth);
    }
    OptionValue.waitTime(RoutingOption.WIDEN_AFTER, widenAfter);
    OptionValue.waitTime(RoutingOption.NARROW_AFTER, narrowAfter);
    OptionValue.notNegative(RoutingOption.SUBSET, subset);
    OptionValue.notNegative(RoutingOption.SUBSET, clientNumber.orElse(0));
    OptionValue.positive(RoutingOption.EJECTION_FAILURES, failuresToEject);
    share(maxEjected);
    OptionValue.waitTime(RoutingOption.EJECTION_TRIAL_AFTER, trialAfter);
    OptionValue.notNegative(RoutingOption.SLOW_START, slowStart);
    OptionValue.notNegative(RoutingOption.FAILURE_COST, failureCost);
    OptionValue.waitTime(RoutingOption.WINDOW, window);
    OptionValue.positive(RoutingOption.OBSERVATIONS, observations);
  }

  static long positive(RoutingOption option, long value) {
    if (value < 1) {
      throw OptionException.refused(option, value, "it must be positive");
    }
    return value;
  }

  static double share(double value) {
    OptionValue.positive(RoutingOption.EJECTION_MAX, value);
    if (value > 1) {
      throw OptionException.refused(RoutingOption.EJECTION_MAX, value, "it is more than all");
    }
    return value;
  }

  /** The numbers and durations. */
  @Override
  public String toString() {
    return "PickerConfig[policy="
        + OptionText.word(policy)
        + ", softBacklogLimit="
        + softBacklogLimit
        + ", width="
        + startWidth
        + " in "
        + minWidth
        + ".."
        + maxWidth
        + ", subset="
        + subset
        + ", failuresToEject="
        + failuresToEject
        + ", maxEjected="
        + maxEjected
        + ", slowStart="
        + slowStart
        + ", failureCost="
        + failureCost
        + "]";
  }
}
