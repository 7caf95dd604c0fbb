package io.waymark.topology;

import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.core.OptionValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Everything a {@link TopologyClient} was built with: validated, immutable.
 *
 * @param ttl how long a snapshot is served before it is read again, spread by ±20 %
 * @param negativeTtl how long the store is left alone after a group was missing or a read failed
 * @param readTimeout how long a read may take
 * @param staleIfError how long an expired snapshot stands in while the store fails; zero for never
 * @param refreshAhead how long before expiry a snapshot is read in the background; zero for never
 * @param maxGroups how many groups are kept
 * @param highWaterGroups of how many groups the highest stamp is remembered
 * @param seed derives members locally; empty for never
 * @param fallback the application's own way; empty for none
 * @param onFallback called when something stood in; what it throws is ignored
 * @param onChange called when what is believed of a group changed; what it throws is ignored
 * @param ticker monotonic nanoseconds
 * @param random spreads expiries
 */
public record TopologyClientConfig(
    Duration ttl,
    Duration negativeTtl,
    Duration readTimeout,
    Duration staleIfError,
    Duration refreshAhead,
    int maxGroups,
    int highWaterGroups,
    Optional<Function<String, List<Member>>> seed,
    Optional<BiFunction<String, UnavailableReason, Optional<GroupSnapshot>>> fallback,
    Optional<Consumer<FallbackEvent>> onFallback,
    Optional<Consumer<GroupChange>> onChange,
    LongSupplier ticker,
    RandomGenerator random) {

  /**
   * @throws OptionException if something cannot be used
   */
  public TopologyClientConfig {
    OptionValue.waitTime(TopologyOption.TTL, ttl);
    OptionValue.waitTime(TopologyOption.NEGATIVE_TTL, negativeTtl);
    OptionValue.waitTime(TopologyOption.READ_TIMEOUT, readTimeout);
    OptionValue.notNegative(TopologyOption.STALE_IF_ERROR, staleIfError);
    OptionValue.notNegative(TopologyOption.REFRESH_AHEAD, refreshAhead);
    OptionValue.positive(TopologyOption.MAX_GROUPS, maxGroups);
    OptionValue.positive(TopologyOption.HIGH_WATER_GROUPS, highWaterGroups);
    Duration shortest = ttl.multipliedBy(4).dividedBy(5);
    if (refreshAhead.compareTo(shortest) >= 0) {
      throw OptionException.refused(
          TopologyOption.REFRESH_AHEAD,
          OptionText.format(refreshAhead),
          "a snapshot may expire after " + OptionText.format(shortest));
    }
  }

  /** The durations and numbers. */
  @Override
  public String toString() {
    return "TopologyClientConfig[ttl="
        + ttl
        + ", negativeTtl="
        + negativeTtl
        + ", readTimeout="
        + readTimeout
        + ", staleIfError="
        + staleIfError
        + ", refreshAhead="
        + refreshAhead
        + ", maxGroups="
        + maxGroups
        + ", highWaterGroups="
        + highWaterGroups
        + "]";
  }
}
