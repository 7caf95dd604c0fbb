package io.waymark.cli;

import io.waymark.postgres.EndpointStatus;
import java.time.Duration;
import java.util.List;

/**
 * One moment of a running demo: what its view shows.
 *
 * @param serverVersion such as {@code 18.6}
 * @param settings what it was started with
 * @param elapsed since the sessions started
 * @param step what was last done to the cluster
 * @param endpoints what is believed about each
 * @param counts what the sessions did so far
 */
record DemoState(
    String serverVersion,
    DemoSettings settings,
    Duration elapsed,
    DemoPlan.Step step,
    List<EndpointStatus> endpoints,
    Tally.Counts counts) {}
