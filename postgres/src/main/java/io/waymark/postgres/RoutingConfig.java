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
 */
public record RoutingConfig(
    Duration probe,
    Select select,
    Consistency consistency,
    Fallback fallback,
    @Nullable MaxLag maxLag,
    Nudge nudge) {
  /**
   * Checks the probe interval.
   *
   * @throws OptionException if it is not positive, or longer than 24 days
   */
  public RoutingConfig {
    OptionValue.waitTime(PostgresOption.ROUTING_PROBE, probe);
  }
}
