package io.waymark.postgres;

import io.waymark.core.OptionException;
import io.waymark.core.OptionValue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How reads are routed.
 *
 * @param probe the interval between probes of one endpoint
 * @param select how one of the replicas that may serve is picked
 * @param consistency what a read may miss
 * @param fallback what becomes of a read that no replica may serve
 * @param maxLag the lag ceiling; null for none
 * @param nudge whether the primary is made to flush its log when reads would wait for it
 * @param zone where the caller runs: replicas of the same zone are preferred; null for no
 *     preference
 */
public record RoutingConfig(
    Duration probe,
    Select select,
    Consistency consistency,
    Fallback fallback,
    @Nullable MaxLag maxLag,
    Nudge nudge,
    @Nullable String zone) {
  /**
   * Checks the probe interval and the zone.
   *
   * @throws OptionException if the interval is not positive, or longer than 24 days, or the zone is
   *     no name
   */
  public RoutingConfig {
    OptionValue.waitTime(PostgresOption.ROUTING_PROBE, probe);
    if (zone != null) {
      OptionValue.name(PostgresOption.ROUTING_ZONE, zone);
    }
  }
}
