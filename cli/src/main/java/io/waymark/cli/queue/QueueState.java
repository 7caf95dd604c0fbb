package io.waymark.cli.queue;

import io.waymark.cli.processes.Events;
import io.waymark.cli.processes.WorkerRow;
import java.time.Duration;
import java.util.List;

/**
 * One moment of a running demo: what its view shows.
 *
 * @param settings what it was started with
 * @param store for people, with its version
 * @param elapsed since everything was up
 * @param phase what goes on, in a few words
 * @param processes all of them
 * @param events what was done to them
 * @param counts so far
 */
public record QueueState(
    QueueSettings settings,
    String store,
    Duration elapsed,
    String phase,
    List<WorkerRow> processes,
    Events events,
    QueueCounts counts) {}
